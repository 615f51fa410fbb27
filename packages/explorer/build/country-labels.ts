/** Finds where the names of countries fit best. */
import { type Atlas, lineOf, type Point } from './atlas.ts'

/** A name: the region code of a country or, without one, its English name; longitude, latitude, and room in degrees. */
export type CountryLabel = readonly [name: string, longitude: number, latitude: number, room: number]

/** Number of columns and rows of the box of a country that are tried, and of the compared points of its outline. */
const TRIES = 24
const MOST_POINTS = 200

/** Returns the names of an atlas, that with most room first. */
export function countryLabels({ arcs, countries }: Atlas): CountryLabel[] {
  return countries
    .flatMap(({ name, id, rings }): CountryLabel[] => {
      const largest = rings.map((ring) => lineOf(arcs, ring)).toSorted((a, b) => areaOf(b) - areaOf(a))[0]
      const [place, room] = largest === undefined ? [undefined, 0] : roomIn(largest)
      const short = (degrees: number) => Math.round(degrees * 10) / 10
      if (place === undefined) return []
      return [[regionOf(id) ?? name, short(place[0]), short(place[1]), Math.max(0.1, short(room))]]
    })
    .toSorted((a, b) => b[3] - a[3])
}

/** Returns the code of two letters for a numeric one, which names a region in every language. */
function regionOf(id: string | undefined): string | undefined {
  const region = id === undefined ? undefined : new Intl.Locale(`und-${id}`).region
  return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined
}

/** Returns the point within a ring that is farthest from its edge, and twice that distance. */
function roomIn(whole: readonly Point[]): [Point | undefined, number] {
  const ring = whole.filter((_, index) => index % Math.ceil(whole.length / MOST_POINTS) === 0)
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)]
  const [west, south] = [Math.min(...xs), Math.min(...ys)]
  const [across, up] = [Math.max(...xs) - west, Math.max(...ys) - south]
  let [best, most]: [Point | undefined, number] = [undefined, 0]
  for (let column = 0.5; column < TRIES; column++) {
    for (let row = 0.5; row < TRIES; row++) {
      const point: Point = [west + (across * column) / TRIES, south + (up * row) / TRIES]
      const distance = isWithin(ring, point) ? distanceTo(ring, point) : 0
      if (distance > most) [best, most] = [point, distance]
    }
  }
  return [best, most * 2]
}

function isWithin(ring: readonly Point[], [x, y]: Point): boolean {
  let inside = false
  for (const [index, [bx, by]] of ring.entries()) {
    const [ax, ay] = ring.at(index - 1) as Point
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

/** Distance to the nearest edge. Names are wide, so that one to the side counts a third. */
function distanceTo(ring: readonly Point[], [x, y]: Point): number {
  return ring.reduce((least, [bx, by], index) => {
    const [ax, ay] = ring.at(index - 1) as Point
    const [dx, dy] = [(bx - ax) / 3, by - ay]
    const length = dx * dx + dy * dy
    const at = length === 0 ? 0 : Math.max(0, Math.min(1, (((x - ax) / 3) * dx + (y - ay) * dy) / length))
    return Math.min(least, Math.hypot((x - ax) / 3 - at * dx, y - ay - at * dy))
  }, Number.POSITIVE_INFINITY)
}

function areaOf(ring: readonly Point[]): number {
  const twice = ring.reduce((sum, [x, y], index) => {
    const [px, py] = ring.at(index - 1) as Point
    return sum + px * y - x * py
  }, 0)
  return Math.abs(twice)
}
