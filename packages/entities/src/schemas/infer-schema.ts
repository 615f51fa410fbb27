/** Infers a JSON Schema from values: their types, and the members that all objects have. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { type TextFormat, textFormat } from './text-format.ts'

/** Maximum depth of described objects; deeper ones are described as objects without members. */
const MAX_DEPTH = 6

/** Maximum properties of one schema over all depths: documents that list types must stay readable. */
const MAX_PROPERTIES = 200

/** Type names in the order in which a schema lists them. */
const TYPE_NAMES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'] as const

type TypeName = (typeof TYPE_NAMES)[number]

/** Observations about the values at one path. */
interface Seen {
  readonly types: Set<TypeName>
  /** Common format of all strings; `none` if they differ or have none, absent before the first string. */
  format?: TextFormat | 'none'
  /** Number of objects seen; a member is required if all of them have it. */
  objects: number
  readonly members: Map<string, { count: number; readonly seen: Seen }>
  items?: Seen
}

/** Learns from one value after the other; `schema` describes all of them. */
export class SchemaInference {
  readonly #root: Seen = nothing()
  #properties = 0

  /** Learns from a value. */
  add(value: JsonValue): void {
    this.#see(this.#root, value, 0)
  }

  /** Learns from all the values that a schema of this class was inferred from. */
  addSchema(schema: JsonObject): void {
    this.#seeSchema(this.#root, schema, 0)
  }

  /** Returns a JSON Schema (2020-12) that every value satisfies. It is open: further members are allowed. */
  schema(): JsonObject {
    return schemaOf(this.#root)
  }

  #see(seen: Seen, value: JsonValue, depth: number): void {
    const type = typeName(value)
    seen.types.add(type)
    if (type === 'string') {
      // Once strings differ, none is examined any more.
      if (seen.format !== 'none') seeFormat(seen, textFormat(value as string))
    } else if (type === 'array') this.#seeItems(seen, value as JsonValue[], depth)
    else if (type === 'object') this.#seeMembers(seen, value as JsonObject, depth)
  }

  #seeItems(seen: Seen, items: readonly JsonValue[], depth: number): void {
    if (depth >= MAX_DEPTH || items.length === 0) return
    seen.items ??= nothing()
    for (const item of items) this.#see(seen.items, item, depth + 1)
  }

  #seeMembers(seen: Seen, members: JsonObject, depth: number): void {
    if (depth >= MAX_DEPTH) return
    seen.objects++
    for (const key of Object.keys(members)) {
      const member = this.#member(seen, key)
      if (!member) continue
      member.count++
      this.#see(member.seen, members[key] as JsonValue, depth + 1)
    }
  }

  #member(seen: Seen, key: string): { count: number; readonly seen: Seen } | undefined {
    const known = seen.members.get(key)
    if (known || this.#properties >= MAX_PROPERTIES) return known
    this.#properties++
    const member = { count: 0, seen: nothing() }
    seen.members.set(key, member)
    return member
  }

  #seeSchema(seen: Seen, schema: JsonObject, depth: number): void {
    for (const type of [schema['type']].flat()) if (isTypeName(type)) seen.types.add(type)
    if ([schema['type']].flat().includes('string')) seeFormat(seen, formatIn(schema))
    if (isObject(schema['items'])) {
      seen.items ??= nothing()
      this.#seeSchema(seen.items, schema['items'], depth + 1)
    }
    if (!isObject(schema['properties'])) {
      // Objects were seen, but none has a member that could be required.
      if (seen.types.has('object')) seen.objects++
      return
    }
    const required = new Set([schema['required']].flat())
    seen.objects++
    for (const [key, property] of Object.entries(schema['properties'])) {
      const member = this.#member(seen, key)
      if (!member || !isObject(property)) continue
      if (required.has(key)) member.count++
      this.#seeSchema(member.seen, property, depth + 1)
    }
  }
}

function seeFormat(seen: Seen, found: TextFormat | undefined): void {
  const format = found ?? 'none'
  seen.format = seen.format === undefined || seen.format === format ? format : 'none'
}

function formatIn({ format }: JsonObject): TextFormat | undefined {
  return format === 'date' || format === 'date-time' ? format : undefined
}

function schemaOf(seen: Seen): JsonObject {
  const types = TYPE_NAMES.filter(
    (type) => seen.types.has(type) && !(type === 'integer' && seen.types.has('number')),
  )
  const schema: JsonObject = {}
  const [first] = types
  if (first !== undefined) schema['type'] = types.length === 1 ? first : types
  if (seen.format !== undefined && seen.format !== 'none') schema['format'] = seen.format
  if (seen.members.size > 0) {
    const members = [...seen.members]
    // Not assigned one by one: a member called `__proto__` must become an own property.
    schema['properties'] = Object.fromEntries(members.map(([key, member]) => [key, schemaOf(member.seen)]))
    const required = members.filter(([, member]) => member.count === seen.objects).map(([key]) => key)
    if (required.length > 0) schema['required'] = required
  }
  if (seen.items) schema['items'] = schemaOf(seen.items)
  return schema
}

function typeName(value: JsonValue): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number'
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    default:
      return 'object'
  }
}

function nothing(): Seen {
  return { types: new Set(), objects: 0, members: new Map() }
}

function isTypeName(value: JsonValue | undefined): value is TypeName {
  return (TYPE_NAMES as readonly unknown[]).includes(value)
}
