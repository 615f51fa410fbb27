/** The revision of an entity as the decisions define it (D2-13), computed from what the server sent. */
import { createHash } from 'node:crypto'
import { isObject, type JsonObject } from '../shapes/json.ts'

/** Serializes JSON in canonical form (RFC 8785): keys sorted by UTF-16 code units, no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`
}

/** Returns the revision of an entity with this content: 128 bits of SHA-256, base64url. */
export function revisionOf(entity: JsonObject): string {
  const names = ['type', 'id', 'title', 'summary', 'attributes']
  const present = names.filter((name) => entity[name] !== undefined)
  const content = Object.fromEntries(present.map((name) => [name, entity[name]]))
  return createHash('sha256').update(canonicalJson(content)).digest().subarray(0, 16).toString('base64url')
}
