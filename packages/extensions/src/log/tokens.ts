/** Tokens for offsets in a world's change log. A token is valid only for the world and the types for which it was issued. */
import { cursorAfter, positionFromCursor } from '@worldwright/core'

/** Path of the change log, relative to the API path. */
export const CHANGES_PATH = 'changes'

/** World and types of a token. Without types, the token is for changes of all types. */
export interface TokenScope {
  readonly worldId: string
  /** Sorted, without duplicates. */
  readonly types: readonly string[] | undefined
}

/** Maximum token length, in characters. Generous: the token for a 512-byte id with every byte escaped has about 1,700. */
const MAX_TOKEN_LENGTH = 2_048
/** Prefix added to the offset in every token, so that an empty offset, which means the beginning, can be sealed too. */
const MARK = '@'

/** Returns the token to resume after a store offset, as in `Change.offset`. An empty offset means the beginning. */
export function tokenFrom(scope: TokenScope, offset: string): string {
  return cursorAfter(cursorScope(scope), MARK + offset)
}

/** Returns the store offset in a token, or undefined for the beginning. @throws WorldFault `invalid_cursor` */
export function offsetFrom(scope: TokenScope, token: string): string | undefined {
  const offset = positionFromCursor(cursorScope(scope), token, MAX_TOKEN_LENGTH).slice(MARK.length)
  return offset === '' ? undefined : offset
}

function cursorScope({ worldId, types = [] }: TokenScope) {
  return { worldId, type: ['changes', ...types] }
}
