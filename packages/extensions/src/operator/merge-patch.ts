/** JSON Merge Patch (RFC 7396). */
import { isObject, type JsonValue } from '@worldwright/client/protocol'

/** Merges `patch` into `target`. Null removes a member, objects merge recursively, and any other value overwrites. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch
  // A map, because a member named `__proto__` is data.
  const merged = new Map<string, JsonValue>(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
