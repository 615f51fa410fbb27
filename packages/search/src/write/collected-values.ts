/** Collects the values of one column while documents are added, and orders them once all are there. */
import { type ColumnKind, isText, referenceText } from '../columns/column-key.ts'
import type { Values } from '../columns/column-writer.ts'
import { grown } from '../format/byte-io.ts'
import type { PropertyValue } from '../port/document.ts'

/** Distinct values of a column, ascending, and for each added value its index among them. */
export interface OrderedValues {
  readonly values: Values
  readonly ordinals: Uint32Array
}

/** Takes values one by one, in any order and with repetitions. */
export interface CollectedValues {
  add(value: PropertyValue): void
  /** Returns the distinct values in order, and the index of each value that was added. */
  ordered(): OrderedValues
}

/** Returns an empty collector for the values of a column of this kind. */
export function collectedValues(kind: ColumnKind): CollectedValues {
  if (kind === 'place') return new CollectedPlaces()
  return isText(kind) ? new CollectedTexts() : new CollectedNumbers()
}

/** Numbers as they come: sorting them is faster than looking each one up among those before. */
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

  /** Adds a number: 0 for a value that is not kept, 1 for true. */
  add(value: PropertyValue): void {
    this.#numbers.push(value.kind === 'unindexed' ? 0 : Number(value.value))
  }

  ordered(): OrderedValues {
    const { all } = this.#numbers
    const numbers = differentOf(all)
    return { values: { numbers, count: numbers.length }, ordinals: placesIn(numbers, all) }
  }
}

/** Locations in the order of their latitudes; ties in the order of their longitudes. */
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
    // Both fit into the 53 bits of an integer: there are some millions of each.
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

/** Returns the distinct numbers, ascending. */
function differentOf(numbers: Float64Array): Float64Array {
  const sorted = numbers.slice().sort()
  let kept = 0
  for (let at = 0; at < sorted.length; at++) {
    if (at > 0 && sorted[at] === sorted[at - 1]) continue
    sorted[kept++] = sorted[at] as number
  }
  return sorted.subarray(0, kept)
}

/** Returns the index of each number in the ascending ones. */
function placesIn(ascending: Float64Array, numbers: Float64Array): Uint32Array {
  const places = new Uint32Array(numbers.length)
  let last = 0
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number
    // Successive numbers are often the same, or neighbours.
    if (ascending[last] !== number && ascending[++last] !== number) {
      let low = 0
      let high = ascending.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((ascending[middle] as number) < number) low = middle + 1
        else high = middle
      }
      last = low
    }
    places[at] = last
  }
  return places
}

/** Interval, in distinct texts, at which lookups end if more than half of all are distinct: sorting finds equal ones. */
const LOOKED_UP = 1024

class CollectedTexts implements CollectedValues {
  /** Texts in the order in which they came, each once while they are looked up. */
  readonly #texts: string[] = []
  #known: Map<string, number> | undefined = new Map()
  #numbers = new Uint32Array(4)
  #count = 0
  /** The text before: successive texts are often the same. */
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

/** Returns the numbers of these texts in the order of their UTF-8 bytes. */
function orderOf(texts: readonly string[]): Uint32Array {
  const order = Uint32Array.from(texts.keys())
  // UTF-16 order is UTF-8 order, except beyond U+FFFF.
  const isPlain = !texts.some((text) => SURROGATE.test(text))
  const isBefore = (one: string, other: string) =>
    isPlain ? one < other : Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
  // Texts that follow the ids come in order.
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
