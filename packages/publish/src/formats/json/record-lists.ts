/** Finds the record lists in a JSON document, with their paths. */
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

/** Minimum number of records in a map. Fewer objects could be the parts of a single record. */
const FEW = 3

/** Reports whether an object maps ids to records, which requires that all members are objects with a shared member name. */
function isMap(value: JsonObject): boolean {
  const [first, ...others] = Object.values(value)
  if (others.length < FEW - 1 || !isObject(first) || !others.every(isObject)) return false
  return Object.keys(first).some((name) => others.every((one) => Object.hasOwn(one as JsonObject, name)))
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
