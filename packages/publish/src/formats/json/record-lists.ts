import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { parseJson } from '@worldwright/entities'
import { allOf } from '../../bytes/bytes.ts'
import type { FileTable, FormatInput } from '../contract/format.ts'
import { MAX_DOCUMENT_BYTES } from './json-document.ts'

/** Maximum depth of the search for lists. */
const MAX_DEPTH = 3

/**
 * Returns the record lists in a JSON document. The array is empty if the document is not an object, or if it needs no path
 * because it is a record, GeoJSON, or an object with `entities`.
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

/** Minimum number of records in a map. Fewer objects could be the parts of a record, such as axes, colours or directions. */
const FEW = 5

/** Minimum number of records in a map of which only most have a member name in common. */
const MANY = 20

/** Reports whether an object maps ids to records: all members are objects with a shared name or, if many, most are. */
function isMap(value: JsonObject): boolean {
  const records = Object.values(value)
  if (records.length < FEW || !records.every(isObject)) return false
  const counts = new Map<string, number>()
  for (const name of records.flatMap((one) => Object.keys(one))) counts.set(name, (counts.get(name) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  return most === records.length || (records.length >= MANY && most > records.length / 2)
}

function listsIn(value: JsonValue, path: string, depth: number): FileTable[] {
  if (!isObject(value) || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const at = /^[A-Za-z_][\w-]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
    // The path syntax cannot express this name.
    if (name.includes('"')) return []
    return isList(member) ? [{ name, source: { records: `${at}[*]` } }] : listsIn(member, at, depth + 1)
  })
}

function isList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}
