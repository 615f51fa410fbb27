/** Style of a component. Its colours are those of the scheme of the page, or given by custom properties. */
export const STYLE = `:host {
  display: block;
  font: var(--world-view-font, inherit);
  color: var(--world-view-color, CanvasText);
  background: var(--world-view-background, Canvas);
  --line: var(--world-view-line, color-mix(in srgb, currentColor 25%, transparent));
  --accent: var(--world-view-accent, LinkText);
}
h2 { font-size: 1.2em; margin: 0 0 .3em }
p, [role=region], dl, svg { margin: .4em 0 }
p { font-size: .9em }
a { color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
[role=region] { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { padding: .3em .8em .3em 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line) }
td { font-variant-numeric: tabular-nums }
.number { text-align: end }
svg { display: block; width: 100%; fill: var(--accent) }
td > svg { min-width: 6em; height: .5em }
:dir(rtl) > svg { transform: scaleX(-1) }
[role=img] { outline: 1px solid var(--line); transform: none }
path { fill: var(--line) }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: .3em 1em }
dl > div { display: contents }
dd { margin: 0; overflow-wrap: anywhere }
`
