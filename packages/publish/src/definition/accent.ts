/** Look of a world as its author defines it, and the contrast of its accent. */
import type { CheckFault } from './source-checks.ts'

/** Look of a world, as its author defines it. */
export interface LookDefinition {
  /** Path of a picture, relative to the definition's folder. `logo` likewise. */
  readonly picture?: string
  readonly logo?: string
  /** Colours of links and buttons, as `#rrggbb`, in each scheme. */
  readonly accent?: { readonly light: string; readonly dark: string }
}

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5
/** Backgrounds of pages and explorer with the least contrast to links, and the colours that links are mixed with to gain it. */
const PAGES = { light: { page: '#e8f1fc', pole: 0 }, dark: { page: '#1c2839', pole: 255 } } as const

/** Returns the faults of accents that are illegible as text, each with its contrast and the nearest shade that is legible. */
export function accentFaults({ accent }: LookDefinition): CheckFault[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const color = accent?.[scheme]
    const { page, pole } = PAGES[scheme]
    if (color === undefined || contrastOf(color, page) >= LEAST_CONTRAST) return []
    const shades = Array.from({ length: 101 }, (_, part) => mixed(color, pole, part / 100))
    const legible = shades.find((shade) => contrastOf(shade, page) >= LEAST_CONTRAST)
    const ratio = (Math.floor(contrastOf(color, page) * 10) / 10).toFixed(1)
    const message = `${color} has a contrast of ${ratio}:1 in the ${scheme} scheme, and text needs ${LEAST_CONTRAST}:1; ${legible} has it`
    return [{ path: ['look', 'accent', scheme], message }]
  })
}

function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Returns the relative luminance (WCAG 2.2) of a colour, from 0 to 1. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mixed(color: string, pole: number, part: number): string {
  const channels = channelsOf(color).map((channel) => Math.round(channel + (pole - channel) * part))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}
