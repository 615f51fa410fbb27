/** Inline SVG icons, so that no font or image has to be fetched. */
import type { ComponentChildren, FunctionComponent } from 'preact'

/** Returns an icon of 24 units square, drawn in the colour of the text. */
export function icon(shapes: ComponentChildren, name = 'icon', size = 20): FunctionComponent {
  return () => (
    <svg class={name} viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      {shapes}
    </svg>
  )
}

/** Product logo: a world and its orbit. */
export const BrandIcon = icon([
  <circle cx="12" cy="12" r="5.2" class="solid" />,
  <ellipse cx="12" cy="12" rx="10.6" ry="3.6" transform="rotate(-28 12 12)" />,
])

/** A magnifying glass, for searching. */
export const SearchIcon = icon([<circle cx="10.5" cy="10.5" r="6" />, <path d="m15 15 5.5 5.5" />])

/** A cross, for removing or closing something. */
export const CrossIcon = icon(<path d="m6 6 12 12M18 6 6 18" />)

/** A pair of sliders, for settings. */
export const SettingsIcon = icon([
  <path d="M4 7h9m5 0h2M4 17h2m5 0h9" />,
  <circle cx="15.5" cy="7" r="2.4" />,
  <circle cx="8.5" cy="17" r="2.4" />,
])

/** A letter i in a circle, for information. */
export const InfoIcon = icon([<circle cx="12" cy="12" r="8.5" />, <path d="M12 11v5.4M12 7.6v.3" />])

/** An arrow pointing down to a line, for downloads. */
export const DownloadIcon = icon(<path d="M12 4v11m-4.5-4.2L12 15.3l4.5-4.5M5 19.5h14" />)

/** An arrow pointing out of a box, for links that leave the page. */
export const OutIcon = icon(<path d="M9 6H6v12h12v-3M13 5h6v6M19 5l-8.5 8.5" />, 'icon small', 14)
