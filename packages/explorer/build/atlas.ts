/** Reads Natural Earth (public domain) as points in degrees, with the equator and the prime meridian at 0. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Longitude and latitude in degrees. */
export type Point = readonly [number, number]

/** Land and countries at one scale. A line is a list of arc numbers; a negative one is the complement of an arc to reverse. */
export interface Atlas {
  readonly arcs: readonly (readonly Point[])[]
  readonly land: readonly (readonly number[])[]
  readonly countries: readonly Country[]
}

interface Country {
  readonly name: string
  /** Numeric code of ISO 3166-1. Absent for a few territories. */
  readonly id: string | undefined
  readonly rings: readonly (readonly number[])[]
}

/** The part of a TopoJSON file that is read: arcs as differences on a grid, rings as arc numbers. */
interface Topology {
  transform: { scale: Point; translate: Point }
  arcs: Point[][]
  objects: { land: { geometries: Geometry[] }; countries: { geometries: (Geometry & Named)[] } }
}

interface Geometry {
  type: 'Polygon' | 'MultiPolygon'
  arcs: number[][] | number[][][]
}

interface Named {
  id?: string
  properties: { name: string }
}

/** Reads a scale, such as `110m`. Leaves out points that are less than `step` degrees from the one before. */
export function atlasOf(scale: string, step: number): Atlas {
  const file = createRequire(import.meta.url).resolve(`world-atlas/countries-${scale}.json`)
  const { transform, arcs, objects }: Topology = JSON.parse(readFileSync(file, 'utf8'))
  return {
    arcs: arcs.map((arc) => thinned(pointsOf(arc, transform), step)),
    land: objects.land.geometries.flatMap(ringsOf),
    countries: objects.countries.geometries.map((one) => ({
      name: one.properties.name,
      id: one.id,
      rings: ringsOf(one),
    })),
  }
}

/** Returns the points of a line. */
export function lineOf(arcs: Atlas['arcs'], numbers: readonly number[]): Point[] {
  return numbers.flatMap((number) => (number < 0 ? (arcs[~number] ?? []).toReversed() : (arcs[number] ?? [])))
}

function ringsOf({ type, arcs }: Geometry): number[][] {
  return type === 'Polygon' ? (arcs as number[][]) : (arcs as number[][][]).flat()
}

function pointsOf(arc: readonly Point[], { scale, translate }: Topology['transform']): Point[] {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

/** Keeps the ends of an arc, so that lines still meet there. */
function thinned(points: readonly Point[], step: number): Point[] {
  const kept: Point[] = []
  for (const point of points.slice(0, -1)) {
    const last = kept.at(-1)
    if (last === undefined || Math.hypot(point[0] - last[0], point[1] - last[1]) >= step) kept.push(point)
  }
  return [...kept, ...points.slice(-1)]
}
