/** Comparable values, and the values of each document, for the reference implementation. */
import {
  isJoined,
  type JoinedPath,
  type Operand,
  type Point,
  type PropertyPath,
  type ValueKind,
} from '../port/conditions.ts'
import {
  ANYWHERE,
  compareKeys,
  type DocumentKey,
  type PropertyValue,
  pathKey,
  type SearchDocument,
} from '../port/document.ts'

/** A value in comparable form. */
export type Comparable = number | boolean | string

/** Returns the value kind and comparable form of an operand. The comparable form of a reference is its type and id. */
export function operandOf(operand: Operand): { readonly kind: ValueKind; readonly value: Comparable } {
  if (typeof operand === 'number') return { kind: 'number', value: operand }
  if (typeof operand === 'boolean') return { kind: 'boolean', value: operand }
  if (typeof operand === 'string') return { kind: 'text', value: operand }
  if ('instant' in operand) return { kind: 'instant', value: operand.instant }
  return { kind: 'reference', value: keyText(operand.reference) }
}

/** Returns a key as text, which is unambiguous because types contain no spaces. */
export function keyText({ type, id }: DocumentKey): string {
  return `${type} ${id}`
}

const SURROGATE = /[\ud800-\udfff]/

/** Compares texts by their UTF-8 bytes, numbers by size, false before true. */
export function compare(left: Comparable, right: Comparable): number {
  if (typeof left !== 'string' || typeof right !== 'string') return Number(left) - Number(right)
  if (left === right) return 0
  // UTF-16 order equals UTF-8 order, except beyond U+FFFF.
  if (!SURROGATE.test(left) && !SURROGATE.test(right)) return left < right ? -1 : 1
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** Distinct values of one kind at one path. */
export interface PlainColumn<Value = Comparable> {
  /** Ascending, except for locations. */
  readonly values: readonly Value[]
  /** For each document, the indexes of its values in `values`, ascending. */
  readonly of: readonly (readonly number[])[]
}

/** Documents in key order, with derived data that is computed on first use. */
export class PlainDocuments {
  readonly all: readonly SearchDocument[]
  /** Keys of the documents, as text. */
  readonly keys: readonly string[]
  /** Values of every document, by path. The array has a hole for a document without values. */
  readonly #values = new Map<string, PropertyValue[][]>()
  readonly #made = new Map<string, unknown>()

  /** @param documents documents with distinct keys, in any order */
  constructor(documents: Iterable<SearchDocument>) {
    this.all = [...documents].sort(compareKeys)
    this.keys = this.all.map(keyText)
    for (const [at, { values = [] }] of this.all.entries()) {
      for (const value of values) {
        const here = this.#values.get(value.path) ?? Array.from(this.all, () => NOTHING)
        this.#values.set(value.path, here)
        if (here[at] === NOTHING) here[at] = [value]
        else here[at]?.push(value)
      }
    }
  }

  /** Returns the values of one kind at a path. */
  column(property: PropertyPath, kind: ValueKind): PlainColumn {
    if (isJoined(property)) {
      const name = `${kind} ${JSON.stringify(property)}`
      return this.#once(name, () => columnOf(this.#behind(property, this.column(property.property, kind))))
    }
    if (property !== 'type' && property !== 'id') return this.#columnAt(pathKey(property), kind)
    return this.#once(`${kind} ${property}`, () =>
      columnOf(this.all.map((document) => (kind === 'text' ? [document[property]] : []))),
    )
  }

  /** Returns the locations at a path. */
  places(property: PropertyPath): PlainColumn<Point> {
    if (isJoined(property)) {
      const { values, of } = this.places(property.property)
      const places = this.#behind(property, { values, of })
      return { values: places.flat(), of: ascending(places) }
    }
    return this.#once(`place ${pathKey(property)}`, () => {
      const places: Point[] = []
      const of = this.#at(pathKey(property)).map((values) =>
        values.flatMap((value) => (value.kind === 'place' ? places.push(value.value) - 1 : [])),
      )
      return { values: places, of }
    })
  }

  /** Returns the references to an entity. Each value is the referring document's type and path, as text. */
  referrers(target: DocumentKey): PlainColumn<string> {
    return this.#once(`referrers ${keyText(target)}`, () => {
      const found: string[][] = this.all.map(() => [])
      for (const path of this.#values.keys()) {
        const { values, of } = this.#columnAt(path, 'reference')
        const ordinal = values.indexOf(keyText(target))
        for (const [at, here] of of.entries())
          if (here.includes(ordinal)) found[at]?.push(`${this.all[at]?.type} ${path}`)
      }
      return columnOf(found)
    })
  }

  /** Returns, for each document, whether it has any value at a path, even one that cannot be compared. */
  present(property: PropertyPath): readonly boolean[] {
    if (isJoined(property)) {
      const present = this.present(property.property)
      return this.#targets(property).map((targets) => targets.some((at) => present[at]))
    }
    const isOfKey = property === 'type' || property === 'id'
    return this.#once(`present ${pathKey(property)}`, () =>
      this.#at(pathKey(property)).map((values) => isOfKey || values.length > 0),
    )
  }

  /** Returns the indexes of the documents with an unindexed value at a path, or `ANYWHERE`. */
  unindexed(property: PropertyPath | typeof ANYWHERE): readonly number[] {
    if (property !== ANYWHERE && isJoined(property)) {
      const omitted = new Set([...this.unindexed(property.property), ...this.unindexed(ANYWHERE)])
      const behind = this.#targets(property).map((targets) => targets.some((at) => omitted.has(at)))
      return [...this.unindexed(property.reference), ...behind.flatMap((isThere, at) => (isThere ? at : []))]
    }
    const path = property === ANYWHERE ? ANYWHERE : pathKey(property)
    return this.#once(`unindexed ${path}`, () =>
      this.#at(path).flatMap((values, at) => (values.some(({ kind }) => kind === 'unindexed') ? at : [])),
    )
  }

  /** Returns, for each document, the indexes of the documents to which the values at a path refer. */
  #targets({ reference, types, texts }: JoinedPath): readonly (readonly number[])[] {
    return this.#once(`targets ${JSON.stringify([reference, types, texts])}`, () => {
      const places = new Map(this.keys.map((key, at) => [key, at]))
      return this.#at(pathKey(reference)).map((values) =>
        values.flatMap((value) => {
          const isId = value.kind === 'text' && texts !== undefined
          const key = isId ? keyText({ type: texts, id: value.value }) : ''
          const isFollowed = value.kind === 'reference' && types?.includes(value.value.type) !== false
          return places.get(isFollowed ? keyText(value.value) : key) ?? []
        }),
      )
    })
  }

  /** Returns, for each document, the values of a column in the documents to which it refers. */
  #behind<Value>(path: JoinedPath, { values, of }: PlainColumn<Value>): Value[][] {
    return this.#targets(path).map((targets) =>
      targets.flatMap((at) => (of[at] ?? []).map((ordinal) => values[ordinal] as Value)),
    )
  }

  #columnAt(path: string, kind: ValueKind): PlainColumn {
    return this.#once(`${kind} ${path}`, () =>
      columnOf(
        this.#at(path).map((values) =>
          values.flatMap((value) => {
            if (value.kind !== kind || value.kind === 'place') return []
            return value.kind === 'reference' ? keyText(value.value) : value.value
          }),
        ),
      ),
    )
  }

  #at(path: string): readonly (readonly PropertyValue[])[] {
    return this.#values.get(path) ?? this.all.map(() => NOTHING)
  }

  #once<Made>(name: string, make: () => Made): Made {
    if (!this.#made.has(name)) this.#made.set(name, make())
    return this.#made.get(name) as Made
  }
}

const NOTHING: PropertyValue[] = []

/** Numbers the elements of all lists. */
function ascending(lists: readonly (readonly unknown[])[]): number[][] {
  let next = 0
  return lists.map((list) => list.map(() => next++))
}

function columnOf<Value extends Comparable>(found: readonly (readonly Value[])[]): PlainColumn<Value> {
  const values = [...new Set(found.flat())].sort(compare)
  const ordinals = new Map(values.map((value, ordinal) => [value, ordinal]))
  const of = found.map((each) =>
    [...new Set(each)].map((value) => ordinals.get(value) as number).sort((one, other) => one - other),
  )
  return { values, of }
}
