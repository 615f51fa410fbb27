/** Collects the values of one column while documents are added, and sorts them at the end. */
import { type ColumnKind, isText, referenceText } from '../columns/column-key.ts'
import type { Values } from '../columns/column-writer.ts'
import { bisect } from '../format/bisect.ts'
import { grown } from '../format/byte-io.ts'
import type { PropertyValue } from '../port/document.ts'

/** Distinct values of a column in ascending order, and the index of each added value among them. */
export interface OrderedValues {
  readonly values: Values
  readonly ordinals: Uint32Array
}

/** Collects values in any order, with repetitions. */
export interface CollectedValues {
  add(value: PropertyValue): void
  /** Returns the distinct values in ascending order, and the index of each added value among them. */
  ordered(): OrderedValues
}

/** Returns an empty collector for a column of this kind. */
export function collectedValues(kind: ColumnKind): CollectedValues {
  if (kind === 'place') return new CollectedPlaces()
  return isText(kind) ? new CollectedTexts() : new CollectedNumbers()
}

/** Numbers in arrival order. Sorting them at the end is faster than looking up each one. */
class Doubles {
  #numbers = new Float64Array(4)
  count = 0

  push(number: number): void {
    if (this.count === this.#numbers.length) this.#numbers = grown(this.#numbers, Float64Array)
    this.#numbers[this.count++] = number
  }

  get all(): Float64Array {
    return this.#numbers.subarray(0, this.count)
  }
}

class CollectedNumbers implements CollectedValues {
  readonly #numbers = new Doubles()

  /** Adds a value as a number. An unindexed value becomes 0, and true becomes 1. */
  add(value: PropertyValue): void {
    this.#numbers.push(value.kind === 'unindexed' ? 0 : Number(value.value))
  }

  ordered(): OrderedValues {
    const { all } = this.#numbers
    const numbers = differentOf(all)
    return { values: { numbers, count: numbers.length }, ordinals: placesIn(numbers, all) }
  }
}

/** Locations sorted by latitude, then by longitude. */
class CollectedPlaces implements CollectedValues {
  readonly #latitudes = new Doubles()
  readonly #longitudes = new Doubles()

  add(value: PropertyValue): void {
    if (value.kind !== 'place') return
    this.#latitudes.push(value.value.latitude)
    this.#longitudes.push(value.value.longitude)
  }

  ordered(): OrderedValues {
    const [latitudes, longitudes] = [differentOf(this.#latitudes.all), differentOf(this.#longitudes.all)]
    const [south, west] = [
      placesIn(latitudes, this.#latitudes.all),
      placesIn(longitudes, this.#longitudes.all),
    ]
    // The two ordinals fit into one 53-bit integer, since there are at most a few million of each.
    const width = longitudes.length
    const all = Float64Array.from(south, (ordinal, at) => ordinal * width + (west[at] as number))
    const keys = differentOf(all)
    const numbers = keys.map((key) => latitudes[Math.floor(key / width)] as number)
    const values = {
      numbers,
      longitudes: keys.map((key) => longitudes[key % width] as number),
      count: keys.length,
    }
    return { values, ordinals: placesIn(keys, all) }
  }
}

/** Returns the distinct numbers in ascending order. */
function differentOf(numbers: Float64Array): Float64Array {
  const sorted = numbers.slice().sort()
  let kept = 0
  for (let at = 0; at < sorted.length; at++) {
    if (at > 0 && sorted[at] === sorted[at - 1]) continue
    sorted[kept++] = sorted[at] as number
  }
  return sorted.subarray(0, kept)
}

/** Returns the index of each number in `ascending`. */
function placesIn(ascending: Float64Array, numbers: Float64Array): Uint32Array {
  const places = new Uint32Array(numbers.length)
  let last = 0
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number
    // Successive numbers are often equal or neighbours.
    if (ascending[last] !== number && ascending[++last] !== number)
      last = bisect(0, ascending.length, (place) => (ascending[place] as number) < number)
    places[at] = last
  }
  return places
}

/** Number of distinct texts between checks. If most texts are distinct, duplicates are found by sorting, not by lookup. */
const LOOKED_UP = 1024

class CollectedTexts implements CollectedValues {
  /** Texts in arrival order. There are no duplicates as long as each text is looked up. */
  readonly #texts: string[] = []
  #known: Map<string, number> | undefined = new Map()
  #numbers = new Uint32Array(4)
  #count = 0
  /** Previous text, since successive texts are often equal. */
  #last: string | undefined

  add(value: PropertyValue): void {
    if (value.kind === 'text') this.#addText(value.value)
    else if (value.kind === 'reference') this.#addText(referenceText(value.value))
  }

  #addText(text: string): void {
    if (this.#count === this.#numbers.length) this.#numbers = grown(this.#numbers, Uint32Array)
    const last = this.#numbers[this.#count - 1] as number
    this.#numbers[this.#count++] = text === this.#last ? last : this.#numberOf(text)
    this.#last = text
  }

  #numberOf(text: string): number {
    const known = this.#known?.get(text)
    if (known !== undefined) return known
    const number = this.#texts.push(text) - 1
    if (number % LOOKED_UP === LOOKED_UP - 1 && 2 * number > this.#count) this.#known = undefined
    this.#known?.set(text, number)
    return number
  }

  ordered(): OrderedValues {
    const texts = this.#texts
    const order = orderOf(texts)
    const ordinalOf = new Uint32Array(order.length)
    const different: string[] = []
    for (const number of order) {
      const text = texts[number] as string
      if (text !== different.at(-1)) different.push(text)
      ordinalOf[number] = different.length - 1
    }
    const ordinals = this.#numbers.subarray(0, this.#count).map((number) => ordinalOf[number] as number)
    return { values: { texts: bytesOf(different), count: different.length }, ordinals }
  }
}

const SURROGATE = /[\ud800-\udfff]/

/** Returns the indexes of the texts, sorted by the UTF-8 bytes of the texts. */
function orderOf(texts: readonly string[]): Uint32Array {
  const order = Uint32Array.from(texts.keys())
  // UTF-16 order equals UTF-8 order, except beyond U+FFFF.
  const isPlain = !texts.some((text) => SURROGATE.test(text))
  const isBefore = (one: string, other: string) =>
    isPlain ? one < other : Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
  // Texts already arrive in order if they sort like their documents' ids.
  const inOrder = (left: number, right: number) => {
    const [one, other] = [texts[left] as string, texts[right] as string]
    return one === other ? 0 : isBefore(one, other) ? -1 : 1
  }
  for (let at = 1; at < texts.length; at++) if (inOrder(at - 1, at) > 0) return order.sort(inOrder)
  return order
}

function* bytesOf(texts: readonly string[]): Generator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}
