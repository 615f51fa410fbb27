/** Reads the changes of a world, issuing tokens instead of the store's offsets. */

import { invalidCursor, MAX_PAGE_BYTES, WorldFault } from '@worldwright/core'
import {
  type CallOptions,
  type Change,
  type Changes,
  type IndexRules,
  indexRules,
  type Store,
  StoreFault,
} from '@worldwright/core/store'
import { type EntityValues, entityValues } from '@worldwright/search/entities'
import { offsetFrom, tokenFrom } from '../log/tokens.ts'
import type { ChangesParameters } from './parameters.ts'

/** Parameters for reading the change log. */
export interface ChangesRequest extends CallOptions, Pick<ChangesParameters, 'since' | 'types' | 'limit'> {
  /** See `ChangesOptions.nameDamaged` in the store contract. */
  readonly nameDamaged?: boolean
  /** Maximum total size of the entities, in bytes; default 4 MiB. The first entity is returned regardless of its size. */
  readonly maxBytes?: number
  /** True to read the indexed values of each entity, for conditions. */
  readonly withValues?: boolean
}

/** A change, with the indexed values of its entity if they were requested. */
export interface ReadChange extends Change {
  readonly values?: EntityValues
}

/** Page of changes, with the token to resume after it. */
export interface ChangesPage extends Changes {
  readonly changes: readonly ReadChange[]
  /** Token to resume with, in place of the store's offset. */
  readonly next: string
}

/** Thrown for a token of another node that was ahead of this one. `position` is that of its reader. */
export class BehindReader extends Error {
  readonly position: string

  constructor(position: string) {
    super('This server is behind the reader of these changes.')
    this.position = position
  }
}

/** Value of `since` that means the end of the log. */
const NOW = 'now'

/** Change log of a world. A token is valid only for the world and the types for which it was issued. */
export class ChangeLog {
  readonly #worldId: string
  readonly #store: Store

  constructor(worldId: string, store: Store) {
    this.#worldId = worldId
    this.#store = store
  }

  /**
   * Returns changes in order, from one snapshot. Starts at the beginning if `since` is absent. Returns no changes for `now`.
   * @throws WorldFault `invalid_cursor`, `changes_expired`; BehindReader
   */
  async read(request: ChangesRequest): Promise<ChangesPage> {
    const { since, types, limit, nameDamaged, maxBytes, withValues, signal } = request
    if (since === NOW) return this.#end(types, signal)
    const after = since === undefined ? undefined : offsetFrom({ worldId: this.#worldId, types }, since)
    try {
      // Reads at least one change, even if none is requested, to find out whether there are more.
      const read = await this.#store.changes({
        after,
        types,
        limit: Math.max(limit, 1),
        nameDamaged,
        signal,
      })
      if (!read.more && !read.versions) throw new BehindReader(read.position)
      const { next, versions, ...page } = shortened(read, after, limit, maxBytes)
      const rules = withValues && (await indexRules(this.#store, { signal }))
      const changes = rules ? page.changes.map((change) => valued(change, rules)) : page.changes
      const own = types && versions && new Map([...versions].filter(([type]) => types.includes(type)))
      return { ...page, changes, versions: own ?? versions, next: this.token(types, next) }
    } catch (error) {
      throw await this.#faultFrom(error)
    }
  }

  /** Returns the token to resume after a store offset, as in `Change.offset`. An empty offset means the beginning. */
  token(types: ChangesRequest['types'], offset: string): string {
    return tokenFrom({ worldId: this.#worldId, types }, offset)
  }

  async #end(types: ChangesRequest['types'], signal: CallOptions['signal']): Promise<ChangesPage> {
    const { next, position, earliest } = await this.#store.changes({ limit: 0, signal })
    return { changes: [], next: this.token(types, next), more: false, position, earliest }
  }

  async #faultFrom(error: unknown): Promise<unknown> {
    if (!(error instanceof StoreFault)) return error
    if (error.code === 'invalid_offset') return invalidCursor('malformed')
    if (error.code !== 'expired') return error
    const { earliest } = await this.#store.changes({ limit: 0 })
    return new WorldFault(
      'changes_expired',
      'Deletions since then are no longer known, or the world was restored. Ask without since.',
      { earliest, restart: 'Ask without since.' },
    )
  }
}

function valued(change: Change, rules: IndexRules): ReadChange {
  const { type, entity } = change
  return entity ? { ...change, values: entityValues(type, entity.json, rules) } : change
}

/** Trims a page to `limit` and `maxBytes`, but keeps one change if any is requested, so that clients make progress. */
function shortened(
  read: Changes,
  after: string | undefined,
  limit: number,
  maxBytes = MAX_PAGE_BYTES,
): Changes {
  const changes = withinBytes(read.changes.slice(0, limit), maxBytes)
  if (changes.length === read.changes.length) return read
  const { position, earliest, damaged } = read
  const rest = { next: changes.at(-1)?.offset ?? after ?? '', more: true, position, earliest }
  // Damaged entities after the last change are reported again with the next page.
  return { changes, ...(damaged && { damaged }), ...rest }
}

function withinBytes(changes: readonly Change[], maxBytes: number): readonly Change[] {
  let bytes = 0
  for (const [index, { entity }] of changes.entries()) {
    bytes += entity === undefined ? 0 : Buffer.byteLength(entity.json)
    if (bytes > maxBytes && index > 0) return changes.slice(0, index)
  }
  return changes
}
