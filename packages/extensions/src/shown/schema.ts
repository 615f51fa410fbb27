/** Reads the parts of JSON Schema that affect display. Schemas come from other worlds and are untrusted. */
import { isObject, type JsonObject, type JsonValue, pointerSteps } from '@worldwright/client/protocol'

export { isObject }

/** Reports whether a value is a number. It may be an `ExactNumber`, which arithmetic and `Number` take as its double. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' || value instanceof Number
}

/** Returns the own member `name` of an object. Ignores inherited members, since data may use names like `constructor`. */
export function member(object: unknown, name: string): JsonValue | undefined {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
}

/** Returns a member that is a non-empty string, or undefined. */
export function textMember(object: unknown, name: string): string | undefined {
  const value = member(object, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Maximum length of a chain of `$ref`s: enough for real schemas, and a bound on cycles. */
const MAX_HOPS = 8

/** Resolves the `$ref` of a schema within the document. Members beside `$ref` take precedence over those of its target. */
export function resolved(schema: unknown, root: unknown): JsonObject {
  let current = isObject(schema) ? schema : {}
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const ref = textMember(current, '$ref')
    if (ref === undefined) break
    const target = at(root, ref)
    const { $ref: _, ...beside } = current
    if (!isObject(target)) return beside
    current = { ...target, ...beside }
  }
  return current
}

/** Returns the target of a local reference such as `#/$defs/star`. */
function at(root: unknown, ref: string): JsonValue | undefined {
  if (ref === '#') return root as JsonValue
  if (!ref.startsWith('#/')) return undefined
  return valueAt(root, pointerSteps(ref.slice(1)))
}

/** Returns the value at a path of member names and list indexes. */
export function valueAt(value: unknown, steps: readonly string[]): JsonValue | undefined {
  const within = (at: JsonValue | undefined, step: string) =>
    Array.isArray(at) ? at[Number(step)] : member(at, step)
  return steps.reduce(within, value as JsonValue | undefined)
}

/** Returns the names of the JSON types that a schema allows, except `null`. */
export function typesOf(schema: JsonObject): string[] {
  const type = schema['type']
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return types.filter((name): name is string => typeof name === 'string' && name !== 'null')
}

/** Reports whether a schema describes references to entities, which are objects with a type and an id. */
export function isReference(schema: JsonObject): boolean {
  return (
    member(schema['properties'], 'type') !== undefined && member(schema['properties'], 'id') !== undefined
  )
}
