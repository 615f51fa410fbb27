/** Entities as documents of an index in OpenSearch, and the mapping of that index. */
import { hash } from 'node:crypto'
import type { PropertyPath, ValueKind } from '@worldwright/core/store'
import type { AnalysedDocument, DocumentKey, PropertyValue, SearchDocument } from '@worldwright/search'
import { INDEX_FORMAT, NameKind, pathKey } from '@worldwright/search'
import type { OpenSearchAddress } from './address.ts'

/** Version of the document format and the text analysis: an index of another format is rebuilt. */
export const FORMAT = `2.${INDEX_FORMAT}`

/** A document in OpenSearch: `terms` and `spellings` are returned when it is read, the rest is only searched. */
export interface IndexDocument extends DocumentKey {
  /** Each term with its impact, which is its score: `rank_features` keep nine bits, and impacts have eight. */
  readonly terms: Readonly<Record<string, number>>
  readonly spellings: readonly string[]
  /** Names by kind, as `nameTerm` encodes them. */
  readonly names: Readonly<Record<keyof typeof NameKind, readonly string[]>>
  /** By kind and path, see `valueField`. */
  readonly values: Readonly<Record<string, unknown>>
  /** Paths with values that are left out. */
  readonly unindexed: readonly string[]
  /** Entities that it refers to, and the paths of the references: see `targetOf` and `pointerOf`. */
  readonly targets: readonly string[]
  readonly pointers: readonly string[]
}

/** Stored fields: the words are read back, to subtract them when the document changes. All others are only searched. */
const SOURCE = ['type', 'id', 'terms', 'spellings']

/** Maximum distinct pairs of kind and path: values create fields. Beyond it, a document keeps no values. */
const MAX_FIELDS = 10_000

/** Returns the definition of a new index. `meta`: stored in its mapping, identifies how it was made. */
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
      // The feeder refreshes when it reaches the end of the log.
      refresh_interval: '30s',
      // Retention of deletions, for late requests of a feeder that was replaced.
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

/** Returns the id of a document: an entity's own may be too long. */
export function documentId({ type, id }: DocumentKey): string {
  return hash('sha256', JSON.stringify([type, id]), 'base64url').slice(0, 22)
}

/** Returns the document of an entity. */
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

/** Returns the feature of a term: a point would begin another field, and no term has an underscore. */
export function featureOf(term: string): string {
  return term.replaceAll('.', '_')
}

/** Returns the term of a feature. */
export function termOf(feature: string): string {
  return feature.replaceAll('_', '.')
}

/** Encodes a reference to an entity as one text: a type has no space. */
export function targetOf({ type, id }: DocumentKey): string {
  return `${type} ${id}`
}

/** Encodes a reference from a type and a path to an entity as one text, which begins with `pointerPrefix`. */
export function pointerOf(target: DocumentKey, type: string, path: string): string {
  return `${pointerPrefix(target)}${type} ${path}`
}

/** Returns the common prefix of all pointers to an entity. The texts after it sort as in an index in a file. */
export function pointerPrefix({ type, id }: DocumentKey): string {
  return JSON.stringify([type, id])
}

/** Returns the field with the values of a kind at a path. Type and id are texts, and no entity has other values there. */
export function valueField(property: PropertyPath, kind: ValueKind): string {
  const isKey = property === 'type' || property === 'id'
  return isKey && kind === 'text' ? property : `values.${kind}.${fieldName(pathKey(property))}`
}

/** Encodes a path as the name of a field: names of members may hold anything. */
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

/** Encodes a boolean as a keyword: false sorts before true. */
export function indexedBoolean(value: boolean): string {
  return String(value)
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
