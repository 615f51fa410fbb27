/** Queryable properties, as declared in the types' schemas, and the kinds of their values. */
import {
  type EntityTypeDescription,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import type { OwnPath, PropertyPath, ValueKind } from '@worldwright/core/store'
import { LATITUDE, LONGITUDE } from '../shown/values.ts'
import { keyOfPath } from './property-path.ts'

/** Queryable property of one or more types. */
export interface Askable<Path extends PropertyPath = PropertyPath> {
  readonly path: Path
  /** Kinds of value. There may be several, because types and alternatives within a schema may differ. */
  readonly kinds: ReadonlySet<ValueKind>
  /** True if every text value is a date such as 1990-01-31. */
  readonly isDate: boolean
  /** True if an entity may have several values. */
  readonly isList: boolean
  /** Types of the entities to which references may refer, including `ANY_TYPE` if a schema does not name them. */
  readonly refersTo: ReadonlySet<string>
  /** Types of the entities whose ids are the texts. */
  readonly idsOf: ReadonlySet<string>
}

/** Stands for all types among the types to which references may refer. */
export const ANY_TYPE = '*'

/** Properties keyed by `keyOfPath`, in schema order. */
export type AskableProperties = ReadonlyMap<string, Askable<OwnPath>>

const PLAIN = { isDate: false, isList: false, refersTo: new Set<string>(), idsOf: new Set<string>() }

/** Properties that every entity has, regardless of its schema. */
export const MEMBER_PROPERTIES: AskableProperties = new Map(
  (
    [
      ['type', 'text'],
      ['id', 'text'],
      ['title', 'text'],
      ['createdAt', 'instant'],
      ['updatedAt', 'instant'],
    ] as const
  ).map(([path, kind]) => [keyOfPath(path), { path, kinds: new Set([kind]), ...PLAIN }]),
)

/** Maximum declared length of text that can be compared. Longer text can only be searched. */
const MAX_TEXT_LENGTH = 1_024
const MAX_DEPTH = 8
const MAX_PROPERTIES = 500

/** Returns the queryable properties in a type's attributes. */
export function askableProperties({ schema = {} }: EntityTypeDescription): AskableProperties {
  const walk = new SchemaWalk(schema)
  walk.object(schema, [], false)
  return walk.found
}

/** Walks a schema and records the kinds of value at each path. */
class SchemaWalk {
  readonly found = new Map<string, Askable<OwnPath>>()
  readonly #root: JsonObject

  constructor(root: JsonObject) {
    this.#root = root
  }

  /** Records an object's members, and the object itself if it is a location. */
  object(schema: JsonObject, names: readonly string[], isList: boolean): void {
    for (const part of this.#parts(schema)) {
      const properties = isObject(part['properties']) ? part['properties'] : {}
      if (isPlace(properties)) this.#note(names, 'place', { isList })
      for (const [name, property] of Object.entries(properties))
        this.#value(property, [...names, name], isList)
    }
  }

  #value(schema: JsonValue, names: readonly string[], isList: boolean, ids?: JsonValue): void {
    if (!isObject(schema) || names.length > MAX_DEPTH) return
    const parts = this.#parts(schema)
    if (parts.some((part) => part['x-index'] === false)) return
    // Declared for a list, ids are its elements.
    const idsOf = parts.map((part) => part['x-references']).find((type) => type !== undefined) ?? ids
    for (const part of parts) {
      for (const type of typesOf(part)) this.#ofType(type, part, names, isList, idsOf)
    }
  }

  #ofType(
    type: JsonValue,
    part: JsonObject,
    names: readonly string[],
    isList: boolean,
    ids?: JsonValue,
  ): void {
    if (type === 'number' || type === 'integer') this.#note(names, 'number', { isList })
    else if (type === 'boolean') this.#note(names, 'boolean', { isList })
    else if (type === 'string') this.#text(part, names, { isList, idsOf: stringsIn(ids) })
    else if (type === 'array') {
      for (const items of [part['items'], part['prefixItems']].flat())
        if (items !== undefined) this.#value(items, names, true, ids)
    } else if (type === 'object') {
      if (isReference(part))
        this.#note(names, 'reference', { isList, refersTo: this.#typesOfReference(part) })
      else this.object(part, names, isList)
    }
  }

  #text({ format, maxLength }: JsonObject, names: readonly string[], more: Partial<Askable>): void {
    if (typeof maxLength === 'number' && maxLength > MAX_TEXT_LENGTH) return
    if (format === 'date-time') this.#note(names, 'instant', more)
    else this.#note(names, 'text', { ...more, isDate: format === 'date' })
  }

  /** Returns the types that a schema of references allows. */
  #typesOfReference({ properties }: JsonObject): ReadonlySet<string> {
    const type = isObject(properties) ? properties['type'] : undefined
    const types = (isObject(type) ? this.#parts(type) : []).flatMap((part) =>
      [part['const'], part['enum']].flat(),
    )
    const named = stringsIn(types)
    return named.size > 0 ? named : new Set([ANY_TYPE])
  }

  #note(names: readonly string[], kind: ValueKind, more: Partial<Askable>): void {
    const path = pathOf(names)
    const key = keyOfPath(path)
    const before = this.found.get(key)
    if (before === undefined && this.found.size >= MAX_PROPERTIES) return
    const own = { ...PLAIN, ...more, path, kinds: new Set([kind]) }
    this.found.set(key, before === undefined ? own : merged(before, own))
  }

  /** Returns a schema and all its subschemas that apply to the same value, following references. */
  #parts(schema: JsonObject, depth = 0): JsonObject[] {
    if (depth > MAX_DEPTH) return []
    const others = [this.#referred(schema['$ref']), schema['allOf'], schema['anyOf'], schema['oneOf']].flat()
    return [schema, ...others.flatMap((other) => (isObject(other) ? this.#parts(other, depth + 1) : []))]
  }

  #referred(reference: JsonValue | undefined): JsonValue | undefined {
    if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
    const steps = reference.slice(1).split('/').slice(1)
    return steps.reduce<JsonValue | undefined>((value, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    }, this.#root)
  }
}

/** Merges two descriptions of the same property. */
export function merged<Path extends PropertyPath>(left: Askable<Path>, right: Askable<Path>): Askable<Path> {
  const texts = [left, right].filter(({ kinds }) => kinds.has('text'))
  return {
    path: left.path,
    kinds: left.kinds.union(right.kinds),
    // If either description allows other text, not every text value is a date.
    isDate: texts.length > 0 && texts.every(({ isDate }) => isDate),
    isList: left.isList || right.isList,
    refersTo: left.refersTo.union(right.refersTo),
    idsOf: left.idsOf.union(right.idsOf),
  }
}

function stringsIn(values: JsonValue | readonly (JsonValue | undefined)[] | undefined): ReadonlySet<string> {
  return new Set([values].flat().filter((value) => typeof value === 'string'))
}

function pathOf([first, ...others]: readonly string[]): OwnPath {
  return first === undefined ? 'attributes' : [first, ...others]
}

/** Returns the JSON types that a schema states, or that its values and keywords imply. */
function typesOf(schema: JsonObject): JsonValue[] {
  if (schema['type'] !== undefined) return [schema['type']].flat()
  const values = [schema['enum'] ?? [], schema['const'] ?? []].flat()
  if (values.length > 0) return [...new Set(values.map((value) => typeof value))]
  if (schema['properties'] !== undefined) return ['object']
  return schema['items'] === undefined ? [] : ['array']
}

/** Reports whether a schema describes an object with a type, an id, an optional world, and no other member. */
function isReference({ properties }: JsonObject): boolean {
  if (!isObject(properties) || !('type' in properties) || !('id' in properties)) return false
  return Object.keys(properties).every((name) => name === 'type' || name === 'id' || name === 'world')
}

function isPlace(properties: JsonObject): boolean {
  const has = (name: string) => Object.hasOwn(properties, name)
  if (LATITUDE.some(has) && LONGITUDE.some(has)) return true
  const { type, coordinates } = properties
  return isObject(type) && coordinates !== undefined && [type['const'], type['enum']].flat().includes('Point')
}
