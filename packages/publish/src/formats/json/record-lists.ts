/** The lists of records in a JSON document, by their paths. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { parseJson } from '@worldwright/entities'
import { allOf } from '../../bytes/bytes.ts'
import type { FileTable, FormatInput } from '../contract/format.ts'
import { MAX_DOCUMENT_BYTES } from './json-document.ts'

/** How deep lists are looked for. */
const MAX_DEPTH = 3

/**
 * The lists that a JSON document holds; none where it is no document of one object, or one that is read without a path:
 * a record, GeoJSON, or an object with `entities`.
 */
export async function recordLists({ bytes }: FormatInput): Promise<FileTable[]> {
  const text = await allOf(bytes, MAX_DOCUMENT_BYTES)
  const parsed = parseJson(text?.toString('utf8') ?? '')
  if (!('value' in parsed) || !isObject(parsed.value)) return []
  const { value } = parsed
  if (value['type'] === 'FeatureCollection' || value['type'] === 'Feature') return []
  if (isList(value['entities']) || Object.hasOwn(value, 'id')) return []
  const lists = listsIn(value, '$', 1)
  return lists.length === 0 && isMap(value) ? [{ name: 'records', source: { records: '$.*' } }] : lists
}

/** So few members that are objects may be the parts of one record. */
const FEW = 3

/** Whether an object holds records under their ids: several objects with a member in common. */
function isMap(value: JsonObject): boolean {
  const [first, ...others] = Object.values(value)
  if (others.length < FEW - 1 || !isObject(first) || !others.every(isObject)) return false
  return Object.keys(first).some((name) => others.every((one) => Object.hasOwn(one as JsonObject, name)))
}

function listsIn(value: JsonValue, path: string, depth: number): FileTable[] {
  if (!isObject(value) || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const at = /^[A-Za-z_][\w-]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
    // A name that the grammar of paths cannot write.
    if (name.includes('"')) return []
    return isList(member) ? [{ name, source: { records: `${at}[*]` } }] : listsIn(member, at, depth + 1)
  })
}

function isList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}
