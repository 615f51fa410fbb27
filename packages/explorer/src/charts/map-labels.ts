/** Chooses the names of countries that a map shows, without overlaps. */
import type { COUNTRIES } from 'virtual:borders'
import { type MapFrame, spotOf } from './map-frame.ts'

/** A name and the position of its middle, in pixels. */
export interface MapLabel {
  readonly name: string
  readonly x: number
  readonly y: number
}

/** Mean width of a letter and height of a line, in pixels. */
const LETTER = 6.2
const LINE = 15
/** A name may be wider than the room in its country by this factor, in lines. */
const SPILL = 1.4

/** Returns the names that fit into their countries, where those with more room come first. `nameOf` names a region code. */
export function labelsOf(
  countries: typeof COUNTRIES,
  frame: MapFrame,
  width: number,
  nameOf: (code: string) => string,
): MapLabel[] {
  const scale = (width / 360) * frame.zoom
  const taken: (MapLabel & { readonly half: number })[] = []
  for (const [code, longitude, latitude, room] of countries) {
    if (room * scale * SPILL < LINE) break
    const name = nameOf(code)
    const { x, y } = spotOf(frame, width, { longitude, latitude })
    const half = (name.length * LETTER) / 2
    const isSeen = x - half >= 0 && x + half <= width && y >= LINE && y <= width / 2 - LINE
    const isFree = taken.every(
      (other) => Math.abs(other.x - x) > other.half + half + LETTER || Math.abs(other.y - y) > LINE,
    )
    if (isSeen && isFree && half <= room * scale * SPILL * 1.5) taken.push({ name, x, y, half })
  }
  return taken.map(({ name, x, y }) => ({ name, x, y }))
}
