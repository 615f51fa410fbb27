/** Offset of an answer in the change log: the changes after it include all that the answer does not. */
import type { Mount } from '@worldwright/core'
import type { CallOptions, Found, Store } from '@worldwright/core/store'
import { CHANGES_PATH, tokenFrom } from '../log/tokens.ts'

/**
 * Reads the end of the log before a query, so that the query includes every change up to there. Resolves with a function that
 * returns the token of the result, or undefined if the world serves no changes or the index does not say what it has read.
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
    // The version is read first, so that a write in between makes `known` stale. An older offset is also correct.
    const version = await log.version({ signal })
    if (known?.version !== version) known = { version, end: (await log.changes({ limit: 0, signal })).next }
    const { end } = known
    const worldId = world.description.id
    return ({ reached = end }, types) => (reached === '' ? undefined : tokenFrom({ worldId, types }, reached))
  }
}
