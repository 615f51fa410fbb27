/** Offset of an answer: what happened after it, as told by the change log, completes the answer. */
import type { Mount } from '@worldwright/core'
import type { CallOptions, Found, Store } from '@worldwright/core/store'
import { CHANGES_PATH, tokenFrom } from '../log/tokens.ts'

/**
 * Reads the end of the log. Called before a query, so that the query includes everything up to there; afterwards, the
 * returned function gives the token to follow the result with. It is undefined if the world serves no changes.
 */
export type OffsetReader = (
  options: CallOptions,
) => Promise<(found: Found, types: readonly string[] | undefined) => string | undefined>

/** Creates the reader of a world, which may mount `changes()` before or after `query()`, or not at all. */
export function offsetReader({ source, world, apiPath, routes }: Mount): OffsetReader {
  const log = 'changes' in source ? (source as Store) : undefined
  let isServed: boolean | undefined
  let known: { readonly version: string; readonly end: string } | undefined
  return async ({ signal }) => {
    isServed ??= routes().some(({ path }) => path === `${apiPath}/${CHANGES_PATH}`)
    if (!log || !isServed) return () => undefined
    // Read before the end, so that a write in between outdates what is known. An older offset would be right, too.
    const version = await log.version({ signal })
    if (known?.version !== version) known = { version, end: (await log.changes({ limit: 0, signal })).next }
    const { end } = known
    const worldId = world.description.id
    return ({ reached = end }, types) => (reached === '' ? undefined : tokenFrom({ worldId, types }, reached))
  }
}
