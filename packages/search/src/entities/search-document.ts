/** What of an entity can be found by text. */
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { IndexRules, Store } from '@worldwright/core/store'
import { indexRules, instantOf } from '@worldwright/core/store'
import type { DocumentKey, DocumentText, SearchDocument, WeightedText } from '../port/document.ts'
import { type Times, valuesOf } from './search-values.ts'

/** Deeper values are kept and served, but not searched: it bounds the recursion. */
export const MAX_DEPTH = 64

/** Addresses are for following, not for reading: their parts would match what has nothing to do with them. */
const ADDRESS = /^https?:\/\/\S+$/

/**
 * An entity as the search engine takes it: its title, the strings in `attributes.aliases` (one, or a list), its summary,
 * and as text every other string and whole number anywhere in the attributes. Fractions are measures and web addresses
 * are links: neither is text, and names of members are not either. `rules`: of attributes of its type.
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

/** An entity, given as JSON with its times, as an index has it that is built by these rules. */
export function documentFromJson(type: string, json: string, rules: IndexRules): SearchDocument {
  const entity: Entity = JSON.parse(json)
  return { ...searchDocumentOf(entity, rules[type]), values: valuesOf(entity, timesIn(entity), rules[type]) }
}

/** All entities of a store as an index of their own has them, ascending by type, then id; read from one snapshot as they are taken. */
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
 * An entity that comes, as an index has it. Of what is imported only the content is given: then it is put at `moment`, and
 * keeps the time when it was first put (see `changedFrom`).
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

/** When an entity was first put; undefined if it is new, or damaged and put as if it were new. */
function createdAtIn(json: string | undefined): number | undefined {
  return json ? instantOf(JSON.parse(json).createdAt) : undefined
}

/** An entity that goes, given as JSON, as an index has it, without its values: they go with its document. */
export function removedDocument(type: string, json: string, rules: IndexRules): SearchDocument {
  return searchDocumentOf(JSON.parse(json), rules[type])
}

/** What the operator says of the attributes of one type, by their names. */
export type AttributeRules = NonNullable<IndexRules[string]>

/** What can be found of a value by text; undefined if that is nothing, and of lists and objects, whose members are values. */
export function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return ADDRESS.test(value) ? undefined : value
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : undefined
}

/** Collects text: strings of this value, or directly in it, into `near`; all else into `rest`. */
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
