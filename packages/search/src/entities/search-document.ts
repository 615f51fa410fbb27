/** Extracts the searchable text of entities. */
import { type Entity, type JsonValue, typeFault } from '@worldwright/client/protocol'
import { type IndexRules, indexRules, instantOf, type Store } from '@worldwright/core/store'
import type { DocumentKey, DocumentText, SearchDocument, WeightedText } from '../port/document.ts'
import { type Times, valuesOf } from './search-values.ts'

/** Maximum depth of searched values, which bounds the recursion. Deeper values are stored and served, but not searched. */
export const MAX_DEPTH = 64

/** Matches web addresses, which are links rather than prose. Their parts would match unrelated queries. */
const ADDRESS = /^https?:\/\/\S+$/

/**
 * Converts an entity to a search document with its title, the strings in `attributes.aliases` (one or a list), its summary
 * and, as text, every other string and integer in the attributes. Fractions (measurements), web addresses (links), types
 * of references and member names are not indexed as text. `rules` are the rules for the attributes of the entity's type.
 */
export function searchDocumentOf(
  { type, id, title = '', summary = '', attributes }: Entity,
  rules: AttributeRules = {},
): DocumentKey & DocumentText {
  const aliases: string[] = []
  const text: string[] = []
  const weighted: WeightedText[] = []
  for (const [name, value] of Object.entries(attributes)) {
    const weight = Object.hasOwn(rules, name) ? rules[name]?.weight : undefined
    if (weight === 0) continue
    if (name === 'aliases') collect(value, aliases, text, 1)
    else if (weight === undefined || weight === 1) collect(value, text, text, 1)
    else {
      const own: string[] = []
      collect(value, own, own, 1)
      weighted.push({ text: own.join('\n'), weight })
    }
  }
  const document = { type, id, title, aliases, summary, text: text.join('\n') }
  const aliasWeight = Object.hasOwn(rules, 'aliases') ? rules['aliases']?.weight : undefined
  if (weighted.length === 0 && aliasWeight === undefined) return document
  return { ...document, weighted, aliasWeight }
}

/** Converts an entity, given as JSON that includes its times, to a document for an index built with these rules. */
export function documentFromJson(type: string, json: string, rules: IndexRules): SearchDocument {
  const entity: Entity = JSON.parse(json)
  return { ...searchDocumentOf(entity, rules[type]), values: valuesOf(entity, timesIn(entity), rules[type]) }
}

/** Returns all entities in one snapshot of a store as documents for a separate index, ordered by type, then id. */
export async function searchDocuments(store: Pick<Store, 'snapshot' | 'values'>): Promise<SearchDocument[]> {
  const rules = await indexRules(store)
  const snapshot = await store.snapshot()
  try {
    return await Array.fromAsync(snapshot.entities(), ({ type, json }) => documentFromJson(type, json, rules))
  } finally {
    await snapshot.close()
  }
}

/**
 * Converts an added entity to a document. If the entity has no times because it is imported, its update time is `moment`,
 * and its creation time is that of the replaced entity, or else `moment` (see `changedFrom`).
 */
export function addedDocument(
  {
    type,
    before,
    after,
  }: { readonly type: string; readonly before: string | undefined; readonly after: string },
  rules: IndexRules,
  moment: number,
): SearchDocument {
  const entity: Entity = JSON.parse(after)
  const times = entity.createdAt === undefined ? timesAt(moment, before) : timesIn(entity)
  return { ...searchDocumentOf(entity, rules[type]), values: valuesOf(entity, times, rules[type]) }
}

/** Returns the times in the JSON of a stored entity. */
export function timesIn({ createdAt = '', updatedAt = '' }: Entity): Times {
  return { createdAt: instantOf(createdAt), updatedAt: instantOf(updatedAt) }
}

function timesAt(moment: number, before: string | undefined): Times {
  const createdAt = createdAtIn(before) ?? moment
  return { createdAt, updatedAt: Math.max(moment, createdAt) }
}

/** Returns the creation time of a replaced entity, or undefined if there is no such entity or it is damaged. */
function createdAtIn(json: string | undefined): number | undefined {
  return json ? instantOf(JSON.parse(json).createdAt) : undefined
}

/** Converts a removed entity, given as JSON, to a document without values, since values are removed with their document. */
export function removedDocument(type: string, json: string, rules: IndexRules): SearchDocument {
  return searchDocumentOf(JSON.parse(json), rules[type])
}

/** The operator's rules for the attributes of one type, by attribute name. */
export type AttributeRules = NonNullable<IndexRules[string]>

/** Returns a value's searchable text, or undefined if it has none. Lists and objects have none; their members may. */
export function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return ADDRESS.test(value) ? undefined : value
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : undefined
}

/** Collects text. A string that is the value itself or a list element goes into `near`, all other text into `rest`. */
function collect(value: JsonValue, near: string[], rest: string[], depth: number): void {
  const text = textOf(value)
  if (text !== undefined) (typeof value === 'string' ? near : rest).push(text)
  else if (value !== null && typeof value === 'object' && depth < MAX_DEPTH) {
    const listed = Array.isArray(value) ? near : rest
    const isReference = isKey(value)
    for (const [name, member] of Object.entries(value)) {
      // A type would match every entity that refers to one of that type.
      if (isReference && name === 'type') continue
      collect(member, typeof member === 'string' ? listed : rest, rest, depth + 1)
    }
  }
}

/** Reports whether a value has the type and id of an entity, so that it is a reference. */
export function isKey(value: JsonValue): boolean {
  const { type, id } = Object(value)
  return typeof id === 'string' && typeof type === 'string' && typeFault(type) === undefined
}
