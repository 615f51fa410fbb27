/** Counts all entities of a list in the cells of a picture, for lists that are too long to draw each entity. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { isNumber } from '@worldwright/extensions/shown'
import { propertyOf } from '@worldwright/extensions/views'
import { tickStep } from 'd3-array'
import type { Measure } from '../question/measures.ts'
import type { Answer, Asks } from '../question/question.ts'
import { type Extent, isLog } from './scale.ts'

/** A cell and the number of entities in it. Its edges are longitudes and latitudes on a map, and positions in a chart. */
export interface Cell {
  readonly x: Extent
  readonly y: Extent
  readonly count: number
  /** Mean of the measure that colours the cells. Undefined without one, or without values. */
  readonly mean: number | undefined
  /** Number of entities with a value of that measure. */
  readonly valued: number
}

/** Cells of a picture, in any order. */
export interface Cells {
  readonly cells: readonly Cell[]
  /** True if entities are missing: the world stopped counting early, or had too many groups. */
  readonly isPartial: boolean
}

/** Returns the number of entities in some cells. */
export function sumOf({ cells }: Cells): number {
  return cells.reduce((sum, { count }) => sum + count, 0)
}

/** Maximum number of groups in an answer, and maximum factor by which cells are widened until they fit. */
const MOST_GROUPS = 1_000
const MOST_TIMES = 64
/** Aimed number of columns and rows of a chart, whose product fits an answer; maximum number of questions for one. */
const COLUMNS = 30
const ROWS = 18
const MOST_QUESTIONS = 24
/** Edges of the cells within a power of ten, which are about equally wide on a logarithmic axis, so that counts compare. */
const BANDS = [1, 1.5, 2, 3, 4.5, 7, 10]
const BAND_STEP = 0.5

/** Counts the locations of a list in cells that are `degrees` wide and high, or wider if too many cells have entities. */
export function mapCells(ask: Asks, key: string, degrees: number, mean?: string) {
  return fitted(async (times) => {
    const group = [{ property: propertyOf(key), cells: degrees * times }]
    const answer = await grouped(ask, group, mean)
    return found(answer, ([corner]) => {
      const [west, south] = Array.isArray(corner) ? corner : []
      return isNumber(west) && isNumber(south)
        ? [edges(west, degrees * times), edges(south, degrees * times)]
        : undefined
    })
  })
}

/** Counts a list by two measures. Returns undefined if the cells of an axis cannot be asked for in a few questions. */
export async function plotCells(
  ask: Asks,
  axes: { readonly x: Measure; readonly y: Measure },
  extents: { readonly x: Extent; readonly y: Extent },
  logs: { readonly x: boolean; readonly y: boolean },
  mean: string | undefined,
): Promise<Cells | undefined> {
  const across = partsOf(axes.x, extents.x, logs.x, COLUMNS)
  const up = partsOf(axes.y, extents.y, logs.y, ROWS)
  const pairs = across.flatMap((x) => up.map((y) => [x, y] as const))
  if (pairs.length === 0 || pairs.length > MOST_QUESTIONS) return undefined
  const parts = await Promise.all(
    pairs.map(([x, y]) =>
      fitted(async (times) => {
        const where = [...x.where, ...y.where]
        const answer = await grouped(ask, [x.group(times), y.group(times)], mean, where)
        return found(answer, ([right, high]) => {
          const [along, upwards] = [x.edges(right, times), y.edges(high, times)]
          return along && upwards && [along, upwards]
        })
      }),
    ),
  )
  return {
    cells: merged(parts.flatMap(({ cells }) => cells)),
    isPartial: parts.some(({ isPartial }) => isPartial),
  }
}

/** Part of an axis whose cells are equally wide: the whole axis, or a power of ten of a logarithmic one. */
interface Part {
  readonly group: (times: number) => JsonObject
  readonly where: readonly JsonObject[]
  /** Returns the edges of the cell of a group, or undefined if it is outside of this part. */
  readonly edges: (key: JsonValue | undefined, times: number) => Extent | undefined
}

function partsOf(measure: Measure, extent: Extent, isLogarithmic: boolean, aim: number): Part[] {
  const property = propertyOf(measure.key)
  const [least, most] = extent
  // Steps of dates are of unequal length.
  if (measure.kind === 'day' || measure.kind === 'instant') return []
  if (isLogarithmic && isLog(extent, measure, true)) {
    const [first, last] = [Math.floor(Math.log10(least)), Math.floor(Math.log10(most))]
    return Array.from({ length: last - first + 1 }, (_, index) => {
      const [from, to] = [Number(`1e${first + index}`), Number(`1e${first + index + 1}`)]
      // Between 1 and 2 there is no whole number.
      const bands = BANDS.map((edge) => (measure.isWhole ? Math.ceil(edge * from) : round(edge * from)))
      const bound = (op: string, end: number) => ({ op, args: [{ property }, end] })
      return {
        group: (times) => ({ property, width: from * BAND_STEP * times, origin: from }),
        where: [bound('>=', from), bound('<', to)],
        edges: (key, times) => {
          if (!isNumber(key) || key < from || key >= to) return undefined
          if (times > 1) return [key, Math.min(to, key + from * BAND_STEP * times)]
          const band = bands.findLastIndex((edge) => edge <= key * (1 + 1e-12))
          return [bands[band] ?? from, bands[band + 1] ?? to]
        },
      }
    })
  }
  const aimed = tickStep(least, most, aim)
  const step = measure.isWhole || measure.kind === 'year' ? Math.max(1, aimed) : aimed
  if (!(step > 0) || !Number.isFinite(step)) return []
  return [
    {
      group: (times) => ({ property, width: step * times }),
      where: [],
      edges: (key, times) => (isNumber(key) ? edges(key, step * times) : undefined),
    },
  ]
}

/** Repeats `read` with wider cells until all of them fit. */
async function fitted(read: (times: number) => Promise<Cells & { isCut: boolean }>): Promise<Cells> {
  for (let times = 1; ; times *= 2) {
    const { cells, isPartial, isCut } = await read(times)
    if (!isCut || times >= MOST_TIMES) return { cells, isPartial: isPartial || isCut }
  }
}

function grouped(ask: Asks, group: JsonObject[], mean: string | undefined, where: JsonObject[] = []) {
  const measured = { property: propertyOf(mean ?? ''), kind: 'number' }
  const measures = ['avg', 'count'].map((op) => ({ op, ...measured }))
  return ask({ group, groupLimit: MOST_GROUPS, ...(mean !== undefined && { measures }) }, ...where)
}

function found(answer: Answer, edgesOf: (key: readonly JsonValue[]) => [Extent, Extent] | undefined) {
  const cells = answer.groups.flatMap(({ key, count, measures: [mean, valued] }): Cell[] => {
    const [x, y] = edgesOf(key) ?? []
    if (x === undefined || y === undefined) return []
    return [{ x, y, count, mean: isNumber(mean) ? mean : undefined, valued: Number(valued ?? 0) }]
  })
  return { cells, isPartial: answer.partial, isCut: answer.groupsTotal > answer.groups.length }
}

/** Joins the cells of several groups that have the same edges. */
function merged(cells: readonly Cell[]): Cell[] {
  return [...Map.groupBy(cells, ({ x, y }) => `${x} ${y}`).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined || same.length === 1) return same
    const sumOf = (of: (cell: Cell) => number) => same.reduce((sum, cell) => sum + of(cell), 0)
    const valued = sumOf((cell) => cell.valued)
    const mean = valued === 0 ? undefined : sumOf((cell) => (cell.mean ?? 0) * cell.valued) / valued
    return [{ ...first, count: sumOf(({ count }) => count), valued, mean }]
  })
}

function edges(from: number, width: number): Extent {
  return [from, round(from + width)]
}

function round(value: number): number {
  return Number(value.toPrecision(15))
}
