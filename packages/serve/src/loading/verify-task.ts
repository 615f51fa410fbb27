/** Work of `world verify` in its thread: reads all of a store. */

import { storeAt } from '@worldwright/engines'
import type { TypeDefinition } from '@worldwright/entities/types'
import { brokenEntities } from '@worldwright/publish'
import type { IndexVerdict, StoreReport } from '@worldwright/sqlite'
import { withReader } from '../open/workspace.ts'

/** A store, and the types to check it against. */
export interface VerifyInput {
  /** The URL of the store. */
  readonly store: string
  /** Types as their author declares them. */
  readonly types: readonly TypeDefinition[]
  /** Rebuilds the search index before it is compared. */
  readonly repair: boolean
}

/** Findings about a store, and its search index. */
export interface Verified extends StoreReport {
  /** Absent if the store has no index of its own. */
  readonly searchIndex?: IndexVerdict
  /** True if the search index was rebuilt; absent if that was not requested. */
  readonly rebuilt?: boolean
  /** Entities that break the schema of their type. */
  readonly broken: Awaited<ReturnType<typeof brokenEntities>>
}

/** Reads every part of a store. @throws StorageFault if it cannot be opened */
export async function verifyStore({ store: url, types, repair }: VerifyInput): Promise<Verified> {
  const store = await storeAt(url)
  const report = await store.verify()
  const rebuilt = repair ? { rebuilt: await store.rebuildSearchIndex() } : {}
  const searchIndex = store.hasNoIndex ? {} : { searchIndex: await store.verifySearchIndex() }
  const isReadable = report.problems.length === 0
  const broken = isReadable ? await withReader(url, (storage) => brokenEntities(storage, types)) : []
  return { ...report, ...rebuilt, ...searchIndex, broken }
}
