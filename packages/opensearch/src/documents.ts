/** Entities as documents of an index in OpenSearch, and the mapping that says what it keeps of them. */
import { hash } from 'node:crypto'
import type { PropertyPath, ValueKind } from '@worldwright/core/store'
import type { AnalysedDocument, DocumentKey, PropertyValue, SearchDocument } from '@worldwright/search'
import { INDEX_FORMAT, NameKind, pathKey } from '@worldwright/search'
import type { OpenSearchAddress } from './address.ts'

/** What documents look like, and their versions, and how text is analysed: an index of another format is built again. */
export const FORMAT = `2.${INDEX_FORMAT}`

/** A document as OpenSearch keeps it: `terms` and `spellings` come back when it is read, the rest is only asked for. */
export interface IndexDocument extends DocumentKey {
  /** Each term with its impact, which is its score: `rank_features` keep nine bits, and impacts have eight. */
  readonly terms: Readonly<Record<string, number>>
  readonly spellings: readonly string[]
  /** Names by kind, as `nameTerm` gives them. */
  readonly names: Readonly<Record<keyof typeof NameKind, readonly string[]>>
  /** By kind and path, see `valueField`. */
  readonly values: Readonly<Record<string, unknown>>
  /** Paths of which something is left out. */
  readonly unindexed: readonly string[]
  /** Entities that it refers to, and from where: see `targetOf` and `pointerOf`. */
  readonly targets: readonly string[]
  readonly pointers: readonly string[]
}

/** Its words are read back, to subtract them when it changes; it is asked for by all else. */
const SOURCE = ['type', 'id', 'terms', 'spellings']

/** Fields are made as values come: so many different paths, by kind, are kept. Beyond, a document keeps no values. */
const MAX_FIELDS = 10_000

/** The index as it is made. `meta`: what it was made by. */
export function indexDefinition({ shards, replicas }: OpenSearchAddress, meta: object): object {
  const keyword = { type: 'keyword' }
  const values = {
    number: 'double',
    instant: 'double',
    boolean: 'keyword',
    text: 'keyword',
    reference: 'keyword',
  }
  return {
    settings: {
      number_of_shards: shards,
      number_of_replicas: replicas,
      // The feeder refreshes when it has come to the end of the log.
      refresh_interval: '30s',
      // So long a deletion is remembered, for what comes late from a feeder that was replaced.
      gc_deletes: '10m',
      'mapping.total_fields.limit': MAX_FIELDS,
    },
    mappings: {
      _meta: meta,
      dynamic: false,
      _source: { includes: SOURCE },
      dynamic_templates: [
        ...Object.entries(values).map(([kind, type]) => ({
          [kind]: { path_match: `values.${kind}.*`, mapping: { type } },
        })),
        { place: { path_match: 'values.place.*', mapping: { type: 'geo_point' } } },
      ],
      properties: {
        type: keyword,
        id: keyword,
        terms: { type: 'rank_features' },
        names: { properties: { alias: keyword, title: keyword, id: keyword } },
        values: { type: 'object', dynamic: true },
        unindexed: keyword,
        targets: keyword,
        pointers: keyword,
      },
    },
  }
}

/** The id of a document: an entity's own may be too long for one. */
export function documentId({ type, id }: DocumentKey): string {
  return hash('sha256', JSON.stringify([type, id]), 'base64url').slice(0, 22)
}

/** The document of an entity. */
export function indexDocument(
  { type, id, values = [] }: SearchDocument,
  { terms, spellings, names }: AnalysedDocument,
): IndexDocument {
  const kindOf = new Map(names)
  const named = (kind: number) => [...kindOf].filter(([, its]) => its === kind).map(([name]) => name)
  return {
    type,
    id,
    terms: Object.fromEntries(terms.map(({ term, impact }) => [featureOf(term), impact])),
    spellings,
    names: { alias: named(NameKind.alias), title: named(NameKind.title), id: named(NameKind.id) },
    values: fieldsOf(values),
    unindexed: unique(values.filter(({ kind }) => kind === 'unindexed').map(({ path }) => path)),
    targets: unique(values.flatMap((value) => (value.kind === 'reference' ? targetOf(value.value) : []))),
    pointers: unique(
      values.flatMap((value) => (value.kind === 'reference' ? pointerOf(value.value, type, value.path) : [])),
    ),
  }
}

/** The feature of a term: a point would begin another field, and no term has an underscore. */
export function featureOf(term: string): string {
  return term.replaceAll('.', '_')
}

/** The term of a feature. */
export function termOf(feature: string): string {
  return feature.replaceAll('_', '.')
}

/** An entity that is referred to, as one text: a type has no space. */
export function targetOf({ type, id }: DocumentKey): string {
  return `${type} ${id}`
}

/** That something of a type refers to an entity from a path, as one text, which begins with `pointerPrefix`. */
export function pointerOf(target: DocumentKey, type: string, path: string): string {
  return `${pointerPrefix(target)}${type} ${path}`
}

/** With what all pointers to an entity begin. Behind it their order is that of an index in a file. */
export function pointerPrefix({ type, id }: DocumentKey): string {
  return JSON.stringify([type, id])
}

/** The field that holds the values of a kind at a path. Type and id are texts, and no entity has other values there. */
export function valueField(property: PropertyPath, kind: ValueKind): string {
  const isKey = property === 'type' || property === 'id'
  return isKey && kind === 'text' ? property : `values.${kind}.${fieldName(pathKey(property))}`
}

/** A path as the name of a field: names of members may hold anything. */
function fieldName(path: string): string {
  return hash('sha256', path, 'hex').slice(0, 20)
}

function fieldsOf(values: readonly PropertyValue[]): IndexDocument['values'] {
  const kinds: Record<string, Record<string, unknown[]>> = {}
  for (const value of values) {
    if (value.kind === 'unindexed') continue
    const fields = kinds[value.kind] ?? {}
    const name = fieldName(value.path)
    const held = fields[name] ?? []
    const indexed = indexedValue(value)
    if (!held.includes(indexed)) held.push(indexed)
    kinds[value.kind] = { ...fields, [name]: held }
  }
  return kinds
}

function indexedValue(value: Exclude<PropertyValue, { kind: 'unindexed' }>): unknown {
  if (value.kind === 'reference') return targetOf(value.value)
  if (value.kind === 'place') return `${value.value.latitude},${value.value.longitude}`
  return value.kind === 'boolean' ? indexedBoolean(value.value) : value.value
}

/** A boolean as a keyword: false comes before true. */
export function indexedBoolean(value: boolean): string {
  return String(value)
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
