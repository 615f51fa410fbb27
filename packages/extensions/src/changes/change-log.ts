/** Reads the changes of a world, with tokens for clients in place of the store's offsets. */

import { cursorAfter, invalidCursor, MAX_PAGE_BYTES, positionFromCursor, WorldFault } from '@worldwright/core'
import {
  type CallOptions,
  type Change,
  type Changes,
  StorageFault,
  type Store,
} from '@worldwright/core/store'
import type { ChangesParameters } from './parameters.ts'

/** The changes to read, and the signal that ends the reading. */
export interface ChangesRequest extends CallOptions, Omit<ChangesParameters, 'entities' | 'nameDamaged'> {
  /** As `ChangesOptions.nameDamaged` of a store. */
  readonly nameDamaged?: boolean
  /** Maximum bytes of entities beyond the first; default 4 MiB. */
  readonly maxBytes?: number
}

/** A page of changes, with the token that continues after it. */
export interface ChangesPage extends Changes {
  /** A token. */
  readonly next: string
}

/** Value of `since` that means the end of the log. */
const NOW = 'now'
/** Longer than any token we issue: an id of 512 bytes, all of them escaped, gives about 1,700 characters. */
const MAX_TOKEN_LENGTH = 2_048
/** Precedes every sealed offset, so that the beginning, whose offset is empty, can be sealed as well. */
const MARK = '@'

/** The log of one world. Tokens are bound to the world and to the types that they were issued for. */
export class ChangeLog {
  readonly #worldId: string
  readonly #storage: Store

  constructor(worldId: string, storage: Store) {
    this.#worldId = worldId
    this.#storage = storage
  }

  /**
   * Returns changes in order, from one snapshot. Without `since`, from the beginning; for `now`, none.
   * @throws WorldFault `invalid_cursor`, `changes_expired`
   */
  async read({ since, types, limit, nameDamaged, maxBytes, signal }: ChangesRequest): Promise<ChangesPage> {
    if (since === NOW) return this.#end(types, signal)
    const after = since === undefined ? undefined : this.#placeOf(types, since)
    try {
      // Reading one change tells whether there are more, even if none is requested.
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

  /** Returns the token that continues after an offset of the store, as `Change.place`; empty: the beginning. */
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

/** Trims a page to what one answer may hold, but keeps one change if any is requested, so that every answer makes progress. */
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
  // Damaged entities after the last change are named again on the next page.
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
