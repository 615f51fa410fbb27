/** A source over an API: `/` counts the items by type, `/TYPE?after=ID&limit=N` lists them, `/TYPE/ID` returns one. */
import type { Entity } from '@worldwright/client/protocol'
import { polled, type Source, type StoredEntity, StoreFault, storedEntity } from '@worldwright/core/store'

/** Converts an item of the API to an entity of this type. */
export type EntityOf = (type: string, item: unknown) => Entity

/** Creates the source. The ETag of `/` is its version, read at most once per `maxAgeMs`, so answers may be that old. */
export function apiSource(url: string, entityOf: EntityOf, maxAgeMs = 1_000): Source {
  const ask = async (path: string, signal?: AbortSignal) => {
    const answer = await fetch(url + path, { signal: signal ?? null }).catch((error: Error) => error)
    signal?.throwIfAborted()
    if (answer instanceof Error || (!answer.ok && answer.status !== 404))
      throw new StoreFault('unreachable', 'The API does not answer.', { cause: answer })
    return { body: answer.ok ? await answer.json() : undefined, version: `${answer.headers.get('etag')}` }
  }
  const state = polled(maxAgeMs, async () => {
    const { body, version } = await ask('/')
    const counts = Object.entries(body as Record<string, number>)
    return { version, types: new Map(counts.map(([type, count]) => [type, { count, version }])) }
  })
  return {
    async get(type, id, { signal } = {}) {
      const { body } = await ask(`/${type}/${encodeURIComponent(id)}`, signal)
      return body === undefined ? undefined : storedEntity(entityOf(type, body))
    },
    async list(type, { after = '', limit, signal }) {
      const { version, types } = await state() // Read before the items, which may change in between.
      const entities: StoredEntity[] = []
      for (let items: unknown[] = [after]; items.length > 0 && entities.length < limit; ) {
        const query = `after=${encodeURIComponent(entities.at(-1)?.id ?? after)}&limit=${limit - entities.length}`
        items = ((await ask(`/${type}?${query}`, signal)).body ?? []) as unknown[]
        entities.push(...items.map((item) => storedEntity(entityOf(type, item))))
      }
      return { entities, total: types.get(type)?.count ?? 0, version }
    },
    types: async () => (await state()).types,
    version: async () => (await state()).version,
  }
}
