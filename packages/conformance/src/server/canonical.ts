/** Computes the revision of an entity from its members, as the decisions define it (D2-13). */
import { createHash } from 'node:crypto'
import { isObject, type JsonObject } from '../json/json.ts'

/** Serializes a value as canonical JSON (RFC 8785): keys sorted by UTF-16 code units, no whitespace. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`
}

/** Returns the revision of an entity: the first 128 bits of the SHA-256 digest of its content, as base64url. */
export function revisionOf(entity: JsonObject): string {
  const names = ['type', 'id', 'title', 'summary', 'attributes']
  const present = names.filter((name) => entity[name] !== undefined)
  const content = Object.fromEntries(present.map((name) => [name, entity[name]]))
  return createHash('sha256').update(canonicalJson(content)).digest().subarray(0, 16).toString('base64url')
}
