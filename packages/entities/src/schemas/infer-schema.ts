/** Infers a JSON Schema with the types of values and the members of objects. Members that all objects have are required. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { type TextFormat, textFormat } from './text-format.ts'

/** Maximum depth of described objects. Deeper objects are described without their members. */
const MAX_DEPTH = 6

/** Maximum number of properties in a schema, over all depths. Keeps a discovery document readable. */
const MAX_PROPERTIES = 200

/** JSON Schema type names, in the order in which a schema lists them. */
const TYPE_NAMES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'] as const

type TypeName = (typeof TYPE_NAMES)[number]

/** Observations about all values at the same path. */
interface Seen {
  readonly types: Set<TypeName>
  /** Format that all strings so far have in common. `none`: there is no such format. Undefined before the first string. */
  format?: TextFormat | 'none'
  /** Number of objects seen. A member that all of them have is required. */
  objects: number
  readonly members: Map<string, { count: number; readonly seen: Seen }>
  items?: Seen
}

/** Infers a schema step by step from the values added to it. */
export class SchemaInference {
  readonly #root: Seen = nothing()
  #properties = 0

  /** Widens the schema so that it describes `value`. */
  add(value: JsonValue): void {
    this.#see(this.#root, value, 0)
  }

  /** Widens the schema so that it also describes all values from which this class inferred `schema`. */
  addSchema(schema: JsonObject): void {
    this.#seeSchema(this.#root, schema, 0)
  }

  /** Returns the inferred JSON Schema (2020-12), which every added value satisfies. It allows additional members. */
  schema(): JsonObject {
    return schemaOf(this.#root)
  }

  #see(seen: Seen, value: JsonValue, depth: number): void {
    const type = typeName(value)
    seen.types.add(type)
    if (type === 'string') {
      // Once the strings have no common format, further strings need not be inspected.
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
      // Count an object without members, so that members added later are not required.
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
    // Unlike assignment, `fromEntries` makes a member called `__proto__` an own property.
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
