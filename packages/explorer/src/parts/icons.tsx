/** The page's signs, drawn here: no font and no picture is fetched for them. */
import type { ComponentChildren } from 'preact'

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      {children}
    </svg>
  )
}

/** The sign of the product: a world and its orbit. */
export function BrandIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="5.2" class="solid" />
      <ellipse cx="12" cy="12" rx="10.6" ry="3.6" transform="rotate(-28 12 12)" />
    </Icon>
  )
}

/** A magnifying glass, the sign of searching. */
export function SearchIcon() {
  return (
    <Icon>
      <circle cx="10.5" cy="10.5" r="6" />
      <path d="m15 15 5.5 5.5" />
    </Icon>
  )
}

/** A cross, for removing or closing something. */
export function CrossIcon() {
  return (
    <Icon>
      <path d="m6 6 12 12M18 6 6 18" />
    </Icon>
  )
}

/** Two sliders, the sign of settings. */
export function SettingsIcon() {
  return (
    <Icon>
      <path d="M4 7h9m5 0h2M4 17h2m5 0h9" />
      <circle cx="15.5" cy="7" r="2.4" />
      <circle cx="8.5" cy="17" r="2.4" />
    </Icon>
  )
}

/** The letter i in a circle, for information. */
export function InfoIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11v5.4M12 7.6v.3" />
    </Icon>
  )
}

/** An arrow to a line below, for downloads. */
export function DownloadIcon() {
  return (
    <Icon>
      <path d="M12 4v11m-4.5-4.2L12 15.3l4.5-4.5M5 19.5h14" />
    </Icon>
  )
}

/** Leads out of the page. */
export function OutIcon() {
  return (
    <svg class="icon small" viewBox="0 0 24 24" width="14" height="14" aria-hidden="true" focusable="false">
      <path d="M9 6H6v12h12v-3M13 5h6v6M19 5l-8.5 8.5" />
    </svg>
  )
}
