/** `world admin search rebuild`, and the part of `world verify` that checks a cluster index. */
import { type ClusterVerdict, rebuildClusterIndex, verifyClusterIndex } from '@worldwright/opensearch'
import { existingStore, withReader } from '@worldwright/serve/open'
import { count, fromEnv, type Io, say, UsageFault } from '@worldwright/serve/terminal'

/** Flags that name a store and its cluster index. */
export interface SearchIndexOptions {
  readonly store?: string
  readonly search?: string
}

/** Builds a new cluster index and waits until it has replaced the current one. */
export async function rebuildSearchCommand(
  path: string | undefined,
  options: SearchIndexOptions,
  io: Io,
): Promise<number> {
  const url = searchUrl(options, io)
  if (url === undefined) throw new UsageFault('Name the index: --search opensearch://HOST/INDEX.')
  const location = await existingStore(path, options.store, io)
  await withReader(location.url, (store) =>
    rebuildClusterIndex(store, url, (message) => say(io, message), io.signal),
  )
  say(io, 'The search index was built again.')
  return 0
}

/** Compares a cluster index with a store and prints the differences. Returns undefined if no index is named. */
export async function verifiedSearch(
  storeUrl: string,
  options: SearchIndexOptions,
  io: Io,
): Promise<ClusterVerdict | undefined> {
  const url = searchUrl(options, io)
  if (url === undefined) return undefined
  const verdict = await withReader(storeUrl, (store) => verifyClusterIndex(store, url))
  const { missing, extra, miscounted } = verdict
  if (!verdict.agrees)
    say(
      io,
      `The index in the cluster lacks ${count(missing, 'entity', 'entities')}, has ${extra} too many, and counts ${count(miscounted, 'word')} wrong. Rebuild it with: npx worldwright admin search rebuild`,
    )
  return verdict
}

function searchUrl({ search }: SearchIndexOptions, io: Io): string | undefined {
  return search ?? fromEnv(io, 'WORLD_SEARCH')
}
