/**
 * Builds the land of the Earth as one SVG path from Natural Earth's 1:110m outline (public domain), in degrees, with the
 * equator and the prime meridian at 0 and south downwards.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

/** Module name that the page imports. */
const MODULE = 'virtual:outline'
const RESOLVED = `\0${MODULE}`

/** Minimum distance between kept points, in degrees: finer than a map of 600 pixels shows. */
const STEP = 0.8

type Point = readonly [number, number]
type Ring = Point[]

/** The part of a TopoJSON file that is read: arcs as differences on a grid, rings as arc numbers. */
interface Atlas {
  transform: { scale: Point; translate: Point }
  arcs: Point[][]
  objects: { land: { geometries: { type: 'Polygon' | 'MultiPolygon'; arcs: number[][] | number[][][] }[] } }
}

/** The Vite plugin that provides `virtual:outline` with the export `LAND`. */
export function outline(): Plugin {
  return {
    name: 'worldwright-outline',
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    // A call, since a constant string would be inlined into each file that uses it, and fetched with each.
    load: (id) => (id === RESOLVED ? `export const LAND = String(${JSON.stringify(landPath())})` : undefined),
  }
}

function landPath(): string {
  const file = createRequire(import.meta.url).resolve('world-atlas/land-110m.json')
  const atlas: Atlas = JSON.parse(readFileSync(file, 'utf8'))
  const arcs = atlas.arcs.map((arc) => pointsOf(arc, atlas.transform))
  return atlas.objects.land.geometries
    .flatMap(({ type, arcs }) => (type === 'Polygon' ? (arcs as number[][]) : (arcs as number[][][]).flat()))
    .map((ring) => ringPath(ring.flatMap((number) => arcAt(arcs, number))))
    .join('')
}

function pointsOf(arc: readonly Point[], { scale, translate }: Atlas['transform']): Ring {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** Returns an arc; a negative number is the bitwise complement of an arc to reverse. */
function arcAt(arcs: readonly Ring[], number: number): Ring {
  return number < 0 ? (arcs[~number] ?? []).toReversed() : (arcs[number] ?? [])
}

/**
 * Returns a ring as a path without points nearer than `STEP`, with one decimal; empty if too little remains to be
 * seen. A ring over the date line is drawn on both sides of the map, which clips it at its edges.
 */
function ringPath(ring: Ring): string {
  const kept: Point[] = []
  for (const point of ring) {
    const last = kept.at(-1)
    if (last === undefined || Math.hypot(point[0] - last[0], point[1] - last[1]) >= STEP) kept.push(point)
  }
  if (kept.length < 4) return ''
  const whole = closedOverPole(unwound(kept))
  const longitudes = whole.map(([longitude]) => longitude)
  const shifts = [0]
  if (Math.max(...longitudes) > 180) shifts.push(-360)
  if (Math.min(...longitudes) < -180) shifts.push(360)
  return shifts.map((shift) => pathOf(whole, shift)).join('')
}

/** Returns the ring without jumps: past the date line, degrees continue beyond 180. */
function unwound(ring: Ring): Ring {
  let turn = 0
  let before: number | undefined
  return ring.map(([longitude, latitude]) => {
    if (before !== undefined && Math.abs(longitude - before) > 180) turn += longitude < before ? 360 : -360
    before = longitude
    return [longitude + turn, latitude]
  })
}

/** Closes a ring around a pole, which does not end where it began, along the edge of the map. */
function closedOverPole(ring: Ring): Ring {
  const [first, last] = [ring[0], ring.at(-1)]
  if (first === undefined || last === undefined || Math.abs(last[0] - first[0]) < 180) return ring
  const edge = last[1] < 0 ? -90 : 90
  return [...ring, [last[0], edge], [first[0], edge]]
}

function pathOf(ring: Ring, shift: number): string {
  const points = ring.map(([longitude, latitude]) => `${short(longitude + shift)} ${short(-latitude)}`)
  return `M${points.join('L')}Z`
}

function short(degrees: number): string {
  return String(Math.round(degrees * 10) / 10)
}
