/** Reads the changes of a world, issuing tokens instead of the store's offsets. */

import { cursorAfter, invalidCursor, MAX_PAGE_BYTES, positionFromCursor, WorldFault } from '@worldwright/core'
import { type CallOptions, type Change, type Changes, type Store, StoreFault } from '@worldwright/core/store'
import type { ChangesParameters } from './parameters.ts'

/** Parameters for reading the change log. */
export interface ChangesRequest extends CallOptions, Omit<ChangesParameters, 'entities' | 'nameDamaged'> {
  /** See `ChangesOptions.nameDamaged` in the store contract. */
  readonly nameDamaged?: boolean
  /** Maximum total size of the entities, in bytes; default 4 MiB. The first entity is returned regardless of its size. */
  readonly maxBytes?: number
}

/** Page of changes, with the token to resume after it. */
export interface ChangesPage extends Changes {
  /** Token to resume with, in place of the store's offset. */
  readonly next: string
}

/** Value of `since` that means the end of the log. */
const NOW = 'now'
/** Maximum token length, in characters. Generous: the token for a 512-byte id with every byte escaped has about 1,700. */
const MAX_TOKEN_LENGTH = 2_048
/** Prefix added to the offset in every token, so that an empty offset, which means the beginning, can be sealed too. */
const MARK = '@'

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
   * @throws WorldFault `invalid_cursor`, `changes_expired`
   */
  async read({ since, types, limit, nameDamaged, maxBytes, signal }: ChangesRequest): Promise<ChangesPage> {
    if (since === NOW) return this.#end(types, signal)
    const after = since === undefined ? undefined : this.#offsetOf(types, since)
    try {
      // Reads at least one change, even if none is requested, to find out whether there are more.
      const read = await this.#store.changes({
        after,
        types,
        limit: Math.max(limit, 1),
        nameDamaged,
        signal,
      })
      const { next, versions, ...page } = shortened(read, after, limit, maxBytes)
      const own = types && versions && new Map([...versions].filter(([type]) => types.includes(type)))
      return { ...page, versions: own ?? versions, next: this.token(types, next) }
    } catch (error) {
      throw await this.#faultFrom(error)
    }
  }

  /** Returns the token to resume after a store offset, as in `Change.offset`. An empty offset means the beginning. */
  token(types: ChangesRequest['types'], offset: string): string {
    return cursorAfter(this.#scope(types), MARK + offset)
  }

  async #end(types: ChangesRequest['types'], signal: CallOptions['signal']): Promise<ChangesPage> {
    const { next, position, earliest } = await this.#store.changes({ limit: 0, signal })
    return { changes: [], next: this.token(types, next), more: false, position, earliest }
  }

  #offsetOf(types: ChangesRequest['types'], token: string): string | undefined {
    const offset = positionFromCursor(this.#scope(types), token, MAX_TOKEN_LENGTH).slice(MARK.length)
    return offset === '' ? undefined : offset
  }

  #scope(types: readonly string[] = []) {
    return { worldId: this.#worldId, type: ['changes', ...types] }
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
