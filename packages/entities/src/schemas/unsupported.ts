/**
 * Detects JSON Schema 2020-12 features that the validator does not implement as the standard requires. Schemas that use
 * such features are refused, so that no value is misjudged. docs/reference/json-schema.md lists the same features.
 */
import { isObject, type JsonValue, pointerTo } from '@worldwright/client/protocol'

/** An unsupported feature: a pointer to it in the schema (RFC 6901), and a message. */
export interface Unsupported {
  readonly pointer: string
  readonly message: string
}

const SCHEMAS_BY_NAME = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])
/** Keywords whose values are data, even if they look like schemas. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired', '$vocabulary'])

/** Lists the unsupported features of a schema, in document order. */
export function unsupportedIn(schema: JsonValue): Unsupported[] {
  const nodes = [...subschemas(schema, '')]
  const unevaluated = nodes.filter(
    ({ node }) => Object.hasOwn(node, 'unevaluatedItems') || Object.hasOwn(node, 'unevaluatedProperties'),
  )
  const items = unevaluated.filter(({ node }) => Object.hasOwn(node, 'unevaluatedItems'))
  return nodes.flatMap(({ node, pointer }) => {
    const has = (name: string) => Object.hasOwn(node, name)
    const found: Unsupported[] = []
    const refuse = (name: string, message: string) =>
      found.push({ pointer: pointerTo(pointer, name), message })
    for (const name of ['$dynamicRef', '$dynamicAnchor'])
      if (has(name)) refuse(name, `${name} is not supported; use $ref`)
    if (has('enum') && Array.isArray(node['enum']) && node['enum'].length === 0)
      refuse('enum', 'an empty enum allows no value; leave the property out')
    if (has('properties') && Object.hasOwn(node['properties'] as object, '__proto__'))
      refuse('properties', 'a property called __proto__ cannot be described')
    if (unevaluated.length > 0 && has('if') && !has('then'))
      refuse('if', 'if without then is not supported beside unevaluatedItems or unevaluatedProperties')
    if (items.length > 0 && has('contains'))
      refuse('contains', 'contains is not supported beside unevaluatedItems')
    if (items.length > 0 && has('items')) refuse('items', 'items is not supported beside unevaluatedItems')
    return found
  })
}

/** The outermost schema or one nested in it, with its pointer (RFC 6901). */
export interface Subschema {
  readonly node: Readonly<Record<string, JsonValue>>
  readonly pointer: string
}

/** Yields a schema and all schemas nested in it, in document order. `pointer` points to the outermost schema. */
export function* subschemas(value: JsonValue, pointer: string): Generator<Subschema> {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) yield* subschemas(element, pointerTo(pointer, index))
    return
  }
  if (!isObject(value)) return
  yield { node: value, pointer }
  for (const key of Object.keys(value)) {
    const inner = value[key]
    if (inner === undefined || DATA.has(key)) continue
    const at = pointerTo(pointer, key)
    if (!SCHEMAS_BY_NAME.has(key)) yield* subschemas(inner, at)
    else if (isObject(inner)) {
      for (const name of Object.keys(inner)) yield* subschemas(inner[name] as JsonValue, pointerTo(at, name))
    }
  }
}
