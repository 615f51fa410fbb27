/** Converts entities to OpenSearch documents, and defines the mapping of their index. */
import { hash } from 'node:crypto'
import type { PropertyPath, ValueKind } from '@worldwright/core/store'
import type { AnalysedDocument, DocumentKey, PropertyValue, SearchDocument } from '@worldwright/search'
import { INDEX_FORMAT, NameKind, pathKey } from '@worldwright/search'
import type { OpenSearchAddress } from './address.ts'

/** Version of the document format and text analysis. An index with another version is rebuilt. */
export const FORMAT = `2.${INDEX_FORMAT}`

/** OpenSearch document. Only its key, `terms` and `spellings` are stored. The other fields are only indexed. */
export interface IndexDocument extends DocumentKey {
  /** Impact (score) of each term. `rank_features` have nine bits of precision, enough for 8-bit impacts. */
  readonly terms: Readonly<Record<string, number>>
  readonly spellings: readonly string[]
  /** Names by kind, as `nameTerm` encodes them. */
  readonly names: Readonly<Record<keyof typeof NameKind, readonly string[]>>
  /** Values by kind and path (see `valueField`). */
  readonly values: Readonly<Record<string, unknown>>
  /** Paths with values that are not indexed. */
  readonly unindexed: readonly string[]
  /** Referenced entities and the paths of the references, encoded by `targetOf` and `pointerOf`. */
  readonly targets: readonly string[]
  readonly pointers: readonly string[]
}

/** Stored fields. When a document changes, its old words are read back and subtracted from the word counts. */
const SOURCE = ['type', 'id', 'terms', 'spellings']

/** Maximum number of fields, one per kind and path of values. A document that would exceed it is indexed without values. */
const MAX_FIELDS = 10_000

/** Returns the definition of a new index. `meta` is stored in the mapping and records the parameters of the index. */
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
      // The feeder refreshes explicitly when it reaches the end of the log.
      refresh_interval: '30s',
      // Retains deletions long enough to reject late requests from a feeder that was replaced.
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

/** Returns the document id of an entity, which is a hash because an entity id may be too long. */
export function documentId({ type, id }: DocumentKey): string {
  return hash('sha256', JSON.stringify([type, id]), 'base64url').slice(0, 22)
}

/** Converts an analysed entity to its OpenSearch document. */
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

/** Encodes a term as a feature name. Replaces dots, which separate fields, with underscores, which no term contains. */
export function featureOf(term: string): string {
  return term.replaceAll('.', '_')
}

/** Decodes a feature name to its term. */
export function termOf(feature: string): string {
  return feature.replaceAll('_', '.')
}

/** Encodes a reference to an entity as a string. The space is unambiguous because types contain none. */
export function targetOf({ type, id }: DocumentKey): string {
  return `${type} ${id}`
}

/** Encodes a reference to `target`, found at `path` in an entity of `type`, as a string that begins with `pointerPrefix`. */
export function pointerOf(target: DocumentKey, type: string, path: string): string {
  return `${pointerPrefix(target)}${type} ${path}`
}

/** Returns the common prefix of all pointers to an entity. The rest of a pointer sorts as in a local index. */
export function pointerPrefix({ type, id }: DocumentKey): string {
  return JSON.stringify([type, id])
}

/** Returns the field for values of a kind at a path. `type` and `id` have only text values, in fields of those names. */
export function valueField(property: PropertyPath, kind: ValueKind): string {
  const isKey = property === 'type' || property === 'id'
  return isKey && kind === 'text' ? property : `values.${kind}.${fieldName(pathKey(property))}`
}

/** Hashes a path to a field name, because member names may contain any characters. */
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

/** Encodes a boolean as a keyword, so that false sorts before true. */
export function indexedBoolean(value: boolean): string {
  return String(value)
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
