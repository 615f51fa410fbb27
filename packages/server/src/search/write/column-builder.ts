/** Collecting the values of documents, and writing them as columns. */

import { type ColumnKind, isText, KINDS, REFERENCES, referenceText } from '../columns/column-key.ts'
import type { ColumnWriter, Values } from '../columns/column-writer.ts'
import { grown } from '../format/byte-io.ts'
import type { Point } from '../port/conditions.ts'
import type { PropertyValue } from '../port/document.ts'

/** Values by type, path and kind. */
export class ColumnBuilder {
  readonly #types = new Map<string, Map<string, (Collected | undefined)[]>>()

  /** Adds the values of a document. `place`: among the documents that were added. */
  add(type: string, values: readonly PropertyValue[], place: number): void {
    if (values.length === 0) return
    const paths = this.#types.get(type) ?? new Map<string, (Collected | undefined)[]>()
    this.#types.set(type, paths)
    for (const value of values) {
      collectedIn(paths, value.path, value.kind).add(comparableOf(value), place)
      if (value.kind !== 'reference') continue
      collectedIn(paths, REFERENCES, 'reference').add(`${referenceText(value.value)}\n${value.path}`, place)
    }
  }

  /** Writes the columns. `types`: ascending, with their documents; `numbers`: of each document, by its place. */
  write(
    writer: ColumnWriter,
    types: readonly { readonly type: string; readonly first: number; readonly end: number }[],
    numbers: Uint32Array,
  ): void {
    for (const [at, { type, first, end }] of types.entries()) {
      const paths = [...(this.#types.get(type) ?? [])].map(([path, kinds]) => ({
        bytes: Buffer.from(path),
        path,
        kinds,
      }))
      paths.sort((left, right) => Buffer.compare(left.bytes, right.bytes))
      for (const { path, kinds } of paths) {
        for (const [number, kind] of KINDS.entries()) {
          const collected = kinds[number]
          if (!collected) continue
          const column = { type: at, path, kind, documents: end - first }
          for (const _ of collected.write(writer, column, numbers, first));
        }
      }
    }
  }
}

function collectedIn(
  paths: Map<string, (Collected | undefined)[]>,
  path: string,
  kind: ColumnKind,
): Collected {
  const number = KINDS.indexOf(kind)
  const kinds = paths.get(path)
  const known = kinds?.[number]
  if (known) return known
  const collected = new Collected(kind)
  if (kinds) kinds[number] = collected
  else
    paths.set(
      path,
      Array.from(KINDS, (_, at) => (at === number ? collected : undefined)),
    )
  return collected
}

/** What tells a value from others of its kind. */
type Comparable = number | string | Point

function comparableOf(value: PropertyValue): Comparable {
  switch (value.kind) {
    case 'reference':
      return referenceText(value.value)
    case 'place':
      return value.value
    case 'unindexed':
      return 0
    case 'boolean':
      return value.value ? 1 : 0
    default:
      return value.value
  }
}

/** The values of one column. */
class Collected {
  readonly #kind: ColumnKind
  /** The different values, in the order they came. */
  readonly #different: Comparable[] = []
  /** Their places in it; of places by latitude and longitude. */
  readonly #known = new Map<number | string, number>()
  readonly #placesKnown = new Map<number, Map<number, number>>()
  /** The value before: what comes together is often the same. */
  #last: Comparable | undefined
  #lastNumber = 0
  #values = new Uint32Array(4)
  #places = new Uint32Array(4)
  #count = 0

  constructor(kind: ColumnKind) {
    this.#kind = kind
  }

  add(value: Comparable, place: number): void {
    if (value !== this.#last) {
      this.#last = value
      this.#lastNumber =
        typeof value === 'object' ? this.#numberOfPlace(value) : this.#numberOf(value, this.#known, value)
    }
    if (this.#count === this.#values.length) {
      this.#values = grown(this.#values, Uint32Array)
      this.#places = grown(this.#places, Uint32Array)
    }
    this.#values[this.#count] = this.#lastNumber
    this.#places[this.#count++] = place
  }

  #numberOfPlace(place: Point): number {
    const known = this.#placesKnown.get(place.latitude)
    const longitudes = known ?? new Map<number, number>()
    if (!known) this.#placesKnown.set(place.latitude, longitudes)
    return this.#numberOf(place.longitude, longitudes, place)
  }

  #numberOf<T>(key: T, known: Map<T, number>, value: Comparable): number {
    let number = known.get(key)
    if (number === undefined) {
      number = this.#different.length
      this.#different.push(value)
      known.set(key, number)
    }
    return number
  }

  write(
    writer: ColumnWriter,
    column: Parameters<ColumnWriter['column']>[0],
    numbers: Uint32Array,
    first: number,
  ): Generator<void> {
    const { values, order } = valuesOf(this.#kind, this.#different)
    const rank = new Uint32Array(order.length)
    for (const [ordinal, number] of order.entries()) rank[number] = ordinal
    const owners = new Uint32Array(this.#count)
    const ordinals = new Uint32Array(this.#count)
    for (let at = 0; at < this.#count; at++) {
      owners[at] = (numbers[this.#places[at] as number] as number) - first
      ordinals[at] = rank[this.#values[at] as number] as number
    }
    const count = sortEntries(owners, ordinals, this.#count)
    return writer.column(column, values, { owners, ordinals, count })
  }
}

/** Values in their order, and for each of them its place among those given. */
function valuesOf(kind: ColumnKind, known: Comparable[]): { values: Values; order: Uint32Array } {
  const order = Uint32Array.from(known.keys())
  const count = known.length
  if (isText(kind)) {
    const texts = known as string[]
    // UTF-16 order is UTF-8 order, except beyond U+FFFF.
    const isPlain = !texts.some((text) => SURROGATE.test(text))
    order.sort((left, right) => {
      const [one, other] = [texts[left] as string, texts[right] as string]
      if (isPlain) return one < other ? -1 : 1
      return Buffer.compare(Buffer.from(one), Buffer.from(other))
    })
    return { values: { texts: order.values().map((at) => Buffer.from(texts[at] as string)), count }, order }
  }
  if (kind !== 'place') {
    order.sort((left, right) => (known[left] as number) - (known[right] as number))
    return { values: { numbers: Float64Array.from(order, (at) => known[at] as number), count }, order }
  }
  const places = known as Point[]
  order.sort((left, right) => comparePlaces(places[left] as Point, places[right] as Point))
  const member = (name: keyof Point) => Float64Array.from(order, (at) => places[at]?.[name] ?? 0)
  return { values: { numbers: member('latitude'), longitudes: member('longitude'), count }, order }
}

const SURROGATE = /[\ud800-\udfff]/

function comparePlaces(left: Point, right: Point): number {
  return left.latitude - right.latitude || left.longitude - right.longitude
}

/** Sorts entries by document and then by ordinal, leaves out what comes twice, and says how many there are. */
export function sortEntries(owners: Uint32Array, ordinals: Uint32Array, count: number): number {
  if (isAscending(owners, ordinals, count)) return count
  // Both fit into the 53 bits of a whole number: there are fewer values than entries, and some millions of these.
  const values = ordinals.reduce((most, ordinal) => Math.max(most, ordinal), 0) + 1
  const keys = new Float64Array(count)
  for (let at = 0; at < count; at++) keys[at] = (owners[at] as number) * values + (ordinals[at] as number)
  keys.sort()
  let kept = 0
  for (let at = 0; at < count; at++) {
    const key = keys[at] as number
    if (at > 0 && key === keys[at - 1]) continue
    const owner = Math.floor(key / values)
    owners[kept] = owner
    ordinals[kept++] = key - owner * values
  }
  return kept
}

function isAscending(owners: Uint32Array, ordinals: Uint32Array, count: number): boolean {
  for (let at = 1; at < count; at++) {
    const [owner, before] = [owners[at] as number, owners[at - 1] as number]
    if (owner < before || (owner === before && (ordinals[at] as number) <= (ordinals[at - 1] as number)))
      return false
  }
  return true
}
