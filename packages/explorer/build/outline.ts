/**
 * Builds the maps of the Earth from Natural Earth as SVG paths in degrees, with the equator and the prime meridian at 0 and
 * south downwards: `virtual:outline` for every map, `virtual:borders` for maps that can be zoomed, `virtual:detail` for maps
 * that are.
 */
import type { Plugin } from 'vite'
import { type Atlas, atlasOf, lineOf, type Point } from './atlas.ts'
import { countryLabels } from './country-labels.ts'

/** Names of the modules that the page imports, with their exports. */
const MODULES: Readonly<Record<string, () => Record<string, unknown>>> = {
  'virtual:outline': () => ({ LAND: landPath(far(), 10) }),
  'virtual:borders': () => ({ BORDERS: bordersPath(far(), 10), COUNTRIES: countryLabels(atlasOf('50m', 0)) }),
  'virtual:detail': () => ({ LAND: landPath(near(), 50), BORDERS: bordersPath(near(), 50) }),
}

/** Minimum distances between kept points, in degrees: finer than a map of 600 pixels shows, whole and enlarged fourfold. */
const far = () => atlasOf('110m', 0.8)
const near = () => atlasOf('50m', 0.18)

/** The Vite plugin that provides the modules. */
export function outline(): Plugin {
  return {
    name: 'worldwright-outline',
    resolveId: (id) => (Object.hasOwn(MODULES, id) ? `\0${id}` : undefined),
    // A call, since a constant string would be inlined into each file that uses it, and fetched with each.
    load: (id) =>
      Object.entries(MODULES[id.slice(1)]?.() ?? {})
        .map(([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))})`)
        .join('\n') || undefined,
  }
}

/** Returns all land as one path, in parts of a degree. A ring too small to be seen is left out. */
function landPath({ arcs, land }: Atlas, parts: number): string {
  return land.map((ring) => ringPath(lineOf(arcs, ring), parts)).join('')
}

/** Returns the arcs that two countries share. */
function bordersPath({ arcs, countries }: Atlas, parts: number): string {
  const uses = countries.flatMap(({ rings }) => {
    return [...new Set(rings.flat().map((number) => (number < 0 ? ~number : number)))]
  })
  return [...Map.groupBy(uses, (number) => number)]
    .filter(([, { length }]) => length > 1)
    .map(([number]) => pathOf(arcs[number] ?? [], parts))
    .join('')
}

/** Returns a ring as a path. A ring over the date line is drawn on both sides of the map, which clips it at its edges. */
function ringPath(ring: readonly Point[], parts: number): string {
  if (ring.length < 5) return ''
  const whole = closedOverPole(unwound(ring))
  const longitudes = whole.map(([longitude]) => longitude)
  const shifts = [0]
  if (Math.max(...longitudes) > 180) shifts.push(-360)
  if (Math.min(...longitudes) < -180) shifts.push(360)
  return shifts
    .map(
      (shift) =>
        `${pathOf(
          whole.map(([longitude, latitude]) => [longitude + shift, latitude]),
          parts,
        )}Z`,
    )
    .join('')
}

/** Returns the ring without jumps: past the date line, degrees continue beyond 180. */
function unwound(ring: readonly Point[]): Point[] {
  let turn = 0
  let before: number | undefined
  return ring.map(([longitude, latitude]) => {
    if (before !== undefined && Math.abs(longitude - before) > 180) turn += longitude < before ? 360 : -360
    before = longitude
    return [longitude + turn, latitude]
  })
}

/** Closes a ring around a pole, which does not end where it began, along the edge of the map. */
function closedOverPole(ring: Point[]): Point[] {
  const [first, last] = [ring[0], ring.at(-1)]
  if (first === undefined || last === undefined || Math.abs(last[0] - first[0]) < 180) return ring
  const edge = last[1] < 0 ? -90 : 90
  return [...ring, [last[0], edge], [first[0], edge]]
}

/** Returns a line in relative steps, which compress better. They are differences of rounded points, so no error adds up. */
function pathOf(line: readonly Point[], parts: number): string {
  const points = line.map(([longitude, latitude]) => [
    Math.round(longitude * parts),
    Math.round(-latitude * parts),
  ])
  let [x, y] = [0, 0]
  return points
    .map(([right = 0, down = 0], index) => {
      const step = `${index === 0 ? 'M' : 'l'}${short((right - x) / parts)} ${short((down - y) / parts)}`
      ;[x, y] = [right, down]
      return step
    })
    .join('')
    .replaceAll(/ -/g, '-')
    .replaceAll('l0 0', '')
}

function short(degrees: number): string {
  return String(Math.round(degrees * 100) / 100).replace(/^(-?)0\./, '$1.')
}
