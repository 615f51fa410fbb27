/** Reads what changed in a world, with tokens that are given to clients in place of the store's places. */

import { cursorAfter, invalidCursor, MAX_PAGE_BYTES, positionFromCursor, WorldFault } from '@worldwright/core'
import {
  type CallOptions,
  type Change,
  type Changes,
  StorageFault,
  type Store,
} from '@worldwright/core/store'
import type { ChangesParameters } from './parameters.ts'

/** Which changes are read, and until when they are wanted. */
export interface ChangesRequest extends CallOptions, Omit<ChangesParameters, 'entities' | 'nameDamaged'> {
  /** As `ChangesOptions.nameDamaged` of a store. */
  readonly nameDamaged?: boolean
  /** Bytes of entities beyond the first; default 4 MiB. */
  readonly maxBytes?: number
}

/** Changes with the token that goes on after them. */
export interface ChangesPage extends Changes {
  /** A token. */
  readonly next: string
}

/** What stands as `since` for the end of the log. */
const NOW = 'now'
/** A longer token than any we give: of an id of 512 bytes, all of them escaped, about 1,700 characters. */
const MAX_TOKEN_LENGTH = 2_048
/** Stands before every place that is sealed, so that the beginning, which has no place, can be sealed as well. */
const MARK = '@'

/** The log of one world. Tokens are bound to the world and to the types that they were given for. */
export class ChangeLog {
  readonly #worldId: string
  readonly #storage: Store

  constructor(worldId: string, storage: Store) {
    this.#worldId = worldId
    this.#storage = storage
  }

  /**
   * Changes in their order, from one snapshot. Without `since`, the beginning; from `now` on there are none.
   * @throws WorldFault `invalid_cursor`, `changes_expired`
   */
  async read({ since, types, limit, nameDamaged, maxBytes, signal }: ChangesRequest): Promise<ChangesPage> {
    if (since === NOW) return this.#end(types, signal)
    const after = since === undefined ? undefined : this.#placeOf(types, since)
    try {
      // Of no changes at all, one tells whether there are more.
      const read = await this.#storage.changes({
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

  /** The token that goes on after a place of the store's, as `Change.place`; empty: the beginning. */
  token(types: ChangesRequest['types'], place: string): string {
    return cursorAfter(this.#scope(types), MARK + place)
  }

  async #end(types: ChangesRequest['types'], signal: CallOptions['signal']): Promise<ChangesPage> {
    const { next, position, earliest } = await this.#storage.changes({ limit: 0, signal })
    return { changes: [], next: this.token(types, next), more: false, position, earliest }
  }

  #placeOf(types: ChangesRequest['types'], token: string): string | undefined {
    const place = positionFromCursor(this.#scope(types), token, MAX_TOKEN_LENGTH).slice(MARK.length)
    return place === '' ? undefined : place
  }

  #scope(types: readonly string[] = []) {
    return { worldId: this.#worldId, type: ['changes', ...types] }
  }

  async #faultFrom(error: unknown): Promise<unknown> {
    if (!(error instanceof StorageFault)) return error
    if (error.code === 'invalid_place') return invalidCursor('malformed')
    if (error.code !== 'expired') return error
    const { earliest } = await this.#storage.changes({ limit: 0 })
    return new WorldFault(
      'changes_expired',
      'Deletions since then are no longer known, or the world was restored. Ask without since.',
      { earliest, restart: 'Ask without since.' },
    )
  }
}

/** As many changes as one answer may hold: at least one where one is asked for, so that every answer moves on. */
function shortened(
  read: Changes,
  after: string | undefined,
  limit: number,
  maxBytes = MAX_PAGE_BYTES,
): Changes {
  const changes = withinBytes(read.changes.slice(0, limit), maxBytes)
  if (changes.length === read.changes.length) return read
  const { position, earliest, damaged } = read
  const rest = { next: changes.at(-1)?.place ?? after ?? '', more: true, position, earliest }
  // Those that come after the last change are named once more.
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
