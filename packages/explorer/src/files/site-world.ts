/** Serves queries of a world of files: the handler of the server, over a source that reads the files and their index. */
import { holdsValue, jsonOf, parseExact } from '@worldwright/client/exact'
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import { createWorld, toFetch } from '@worldwright/core'
import {
  type EntityKey,
  type Found,
  type Query,
  type Source,
  type StoredEntity,
  StoreFault,
} from '@worldwright/core/store'
import { query } from '@worldwright/extensions/query'
import type { Result, ScoredKey } from '@worldwright/search'
import { entityFile, pageFile, type SiteFiles } from './site-files.ts'

/** Number of hits of one type that are read as single files. */
const FEW = 20
/** Number of entities of a type up to which more hits are read from its list, which is then kept. */
const MOST_LISTED = 5_000
const ORIGIN = 'https://files.invalid'

/** Returns a function that calls an action of the world and returns the answer of the server's handler. */
export function siteWorld(files: SiteFiles, search: (query: Query) => Result<ScoredKey>) {
  const reader = new EntityReader(files)
  const store: Source = {
    get: (type, id) => reader.entity({ type, id }),
    list: () => {
      throw new StoreFault('unsupported', 'Lists of a world of files are files.')
    },
    // Only the names count, and the files of an opened world do not change.
    types: () => new Map(files.types.map(({ type }) => [type, { count: 1, version: '' }])),
    version: () => '',
    find: async (asked) => reader.found(search(asked)),
  }
  const { types } = files
  const ask = toFetch(createWorld({ id: ORIGIN, publicUrl: ORIGIN, types, store, extensions: [query()] }))
  return (action: string, input: JsonObject) =>
    ask(`${ORIGIN}/api/world/v0/actions/${encodeURIComponent(action)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
    })
}

/** Reads the entities of hits. */
class EntityReader {
  readonly #files: SiteFiles
  readonly #lists = new Map<string, Promise<ReadonlyMap<string, StoredEntity> | undefined>>()

  constructor(files: SiteFiles) {
    this.#files = files
  }

  async entity({ type, id }: EntityKey): Promise<StoredEntity | undefined> {
    const entity = await objectAt(entityFile(this.#files, type, id))
    return entity && storedFrom(entity)
  }

  async found({ hits, ...numbers }: Result<ScoredKey>): Promise<Found> {
    const byType = Map.groupBy(hits, ({ key }) => key.type)
    const lists = new Map<string, ReadonlyMap<string, StoredEntity> | undefined>()
    for (const [type, { length }] of byType) if (length > FEW) lists.set(type, await this.#list(type))
    const entities = await Promise.all(
      hits.map(({ key }) => lists.get(key.type)?.get(key.id) ?? this.entity(key)),
    )
    return { ...numbers, hits: entities.filter((entity) => entity !== undefined) }
  }

  /** Returns the entities of a type by id, or undefined if there are too many. */
  #list(type: string): Promise<ReadonlyMap<string, StoredEntity> | undefined> {
    const reading = this.#lists.get(type) ?? this.#readList(type)
    this.#lists.set(type, reading)
    reading.catch(() => this.#lists.delete(type))
    return reading
  }

  async #readList(type: string): Promise<ReadonlyMap<string, StoredEntity> | undefined> {
    const read = new Map<string, StoredEntity>()
    for (let cursor: string | undefined = this.#files.firstPage; cursor !== undefined; ) {
      const page: JsonObject | undefined = await objectAt(pageFile(this.#files, type, MOST_LISTED, cursor))
      if (!page || Number(page['total']) > MOST_LISTED) return undefined
      for (const entity of [page['entities'] ?? []].flat())
        if (isObject(entity)) read.set(String(entity['id']), storedFrom(entity))
      cursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : undefined
    }
    return read
  }
}

function storedFrom(entity: JsonObject): StoredEntity {
  const { type, id, revision } = entity
  return { type: String(type), id: String(id), revision: String(revision), json: jsonOf(entity) }
}

async function objectAt(url: string): Promise<JsonObject | undefined> {
  const response = await fetch(url)
  if (response.status === 404) return undefined
  const body: unknown = response.ok ? parseExact(await response.text(), holdsValue) : undefined
  if (isObject(body)) return body
  throw new StoreFault('unreachable', `${url} answers ${response.status}`)
}
