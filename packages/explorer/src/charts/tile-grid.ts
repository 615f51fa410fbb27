/** The tiles that cover a map, and their positions. */
import { type MapFrame, spotOf } from './map-frame.ts'

/** Size of a tile in pixels at its best, and the highest level that servers of tiles have. */
const SIZE = 256
const MOST_LEVEL = 19
/** Maximum number of tiles of this size across a map. */
const MOST_ACROSS = 8

/**
 * Returns the tiles that cover a map in Web Mercator, which is `width` pixels wide and half as high: level, column and row as in
 * addresses of tiles, and their position in pixels.
 */
export function tilesOf(frame: MapFrame, width: number) {
  const whole = width * frame.zoom
  const level = Math.round(Math.log2(whole / Math.max(SIZE, width / MOST_ACROSS)))
  const z = Math.min(MOST_LEVEL, Math.max(0, level))
  const size = whole / 2 ** z
  const { x: left, y: top } = spotOf(frame, width, { longitude: -180, latitude: 90 })
  const seen = (start: number, room: number) => {
    const first = Math.max(0, Math.floor(-start / size))
    const last = Math.min(2 ** z, Math.ceil((room - start) / size))
    return Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  }
  return seen(top, width / 2).flatMap((y) =>
    seen(left, width).map((x) => ({ z, x, y, left: left + x * size, top: top + y * size, size })),
  )
}
