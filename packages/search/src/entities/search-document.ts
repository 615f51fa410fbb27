/** Extracts the searchable text of entities. */
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { IndexRules, Store } from '@worldwright/core/store'
import { indexRules, instantOf } from '@worldwright/core/store'
import type { DocumentKey, DocumentText, SearchDocument, WeightedText } from '../port/document.ts'
import { type Times, valuesOf } from './search-values.ts'

/** Maximum depth of searched values: deeper ones are kept and served, but not searched. It bounds the recursion. */
export const MAX_DEPTH = 64

/** Web addresses are for following, not for reading: their parts would match unrelated queries. */
const ADDRESS = /^https?:\/\/\S+$/

/**
 * Converts an entity to the form that the search engine takes: its title, the strings in `attributes.aliases` (one, or a list),
 * its summary, and as text every other string and integer anywhere in the attributes. Fractions are measures and web addresses
 * are links: neither is text, and names of members are not either. `rules`: of the attributes of its type.
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

/** Converts an entity, given as JSON with its times, to a document of an index that is built by these rules. */
export function documentFromJson(type: string, json: string, rules: IndexRules): SearchDocument {
  const entity: Entity = JSON.parse(json)
  return { ...searchDocumentOf(entity, rules[type]), values: valuesOf(entity, timesIn(entity), rules[type]) }
}

/** Reads all entities of a store, from one snapshot, as documents for a separate index, ascending by type, then id. */
export async function searchDocuments(
  storage: Pick<Store, 'snapshot' | 'values'>,
): Promise<SearchDocument[]> {
  const rules = await indexRules(storage)
  const snapshot = await storage.snapshot()
  try {
    const documents: SearchDocument[] = []
    for await (const { type, json } of snapshot.entities())
      documents.push(documentFromJson(type, json, rules))
    return documents
  } finally {
    await snapshot.close()
  }
}

/**
 * Converts an added entity to a document. An imported entity comes without times: it is put at `moment` and keeps the time at
 * which it was first put (see `changedFrom`).
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

function timesIn({ createdAt = '', updatedAt = '' }: Entity): Times {
  return { createdAt: instantOf(createdAt), updatedAt: instantOf(updatedAt) }
}

function timesAt(moment: number, before: string | undefined): Times {
  const createdAt = createdAtIn(before) ?? moment
  return { createdAt, updatedAt: Math.max(moment, createdAt) }
}

/** Returns the time at which an entity was first put; undefined if it is new, or damaged and put as if it were new. */
function createdAtIn(json: string | undefined): number | undefined {
  return json ? instantOf(JSON.parse(json).createdAt) : undefined
}

/** Converts a removed entity, given as JSON, to a document without values: they are removed with their document. */
export function removedDocument(type: string, json: string, rules: IndexRules): SearchDocument {
  return searchDocumentOf(JSON.parse(json), rules[type])
}

/** The operator's rules for the attributes of one type, by name. */
export type AttributeRules = NonNullable<IndexRules[string]>

/** Returns the searchable text of a value; undefined if there is none, and for lists and objects, whose members are values. */
export function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return ADDRESS.test(value) ? undefined : value
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : undefined
}

/** Collects text: strings that are this value or directly in it into `near`, all other text into `rest`. */
function collect(value: JsonValue, near: string[], rest: string[], depth: number): void {
  const text = textOf(value)
  if (text !== undefined) (typeof value === 'string' ? near : rest).push(text)
  else if (value !== null && typeof value === 'object' && depth < MAX_DEPTH) {
    const listed = Array.isArray(value) ? near : rest
    for (const member of Object.values(value)) {
      collect(member, typeof member === 'string' ? listed : rest, rest, depth + 1)
    }
  }
}
