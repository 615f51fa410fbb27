/** Reading JSON Schema as far as showing needs it. Nothing in it can be relied on: it is another world's. */
import { isObject, type JsonObject, type JsonValue, pointerSteps } from '@worldwright/client/protocol'

export { isObject }

/** An own member of an object: keys such as `constructor` are data. */
export function member(object: unknown, name: string): JsonValue | undefined {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
}

/** A member that is a text, or undefined. */
export function textMember(object: unknown, name: string): string | undefined {
  const value = member(object, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** How far references between schemas are followed: enough for real ones, an end for circles. */
const MAX_HOPS = 8

/** A schema with its `$ref` into the same document followed; members beside the `$ref` win. */
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

/** What a local reference such as `#/$defs/star` points to. */
function at(root: unknown, ref: string): JsonValue | undefined {
  if (ref === '#') return root as JsonValue
  if (!ref.startsWith('#/')) return undefined
  return valueAt(root, pointerSteps(ref.slice(1)))
}

/** Returns the value behind these names, or indexes of lists. */
export function valueAt(value: unknown, steps: readonly string[]): JsonValue | undefined {
  const within = (at: JsonValue | undefined, step: string) =>
    Array.isArray(at) ? at[Number(step)] : member(at, step)
  return steps.reduce(within, value as JsonValue | undefined)
}

/** The names of JSON types a schema allows, `null` left out. */
export function typesOf(schema: JsonObject): string[] {
  const type = schema['type']
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return types.filter((name): name is string => typeof name === 'string' && name !== 'null')
}
