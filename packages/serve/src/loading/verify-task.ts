/** Task of `world verify`: reads and checks a whole store. */

import { storeAt } from '@worldwright/engines'
import type { TypeDefinition } from '@worldwright/entities/types'
import { brokenEntities } from '@worldwright/publish'
import type { IndexVerdict, StoreReport } from '@worldwright/sqlite'
import { withReader } from '../open/workspace.ts'

/** A store and the types to check it against. */
export interface VerifyInput {
  /** URL of the store. */
  readonly store: string
  /** Types as declared in the definition. */
  readonly types: readonly TypeDefinition[]
  /** If true, rebuilds the search index before comparing it with the entities. */
  readonly repair: boolean
}

/** Findings about a store and its search index. */
export interface Verified extends StoreReport {
  /** Verdict on the search index; absent if the store has none. */
  readonly searchIndex?: IndexVerdict
  /** True if the search index was rebuilt; absent if no rebuild was requested. */
  readonly rebuilt?: boolean
  /** Entities that violate the schema of their type. */
  readonly broken: Awaited<ReturnType<typeof brokenEntities>>
}

/** Verifies every part of a store. @throws StoreFault if it cannot be opened */
export async function verifyStore({ store: url, types, repair }: VerifyInput): Promise<Verified> {
  const location = await storeAt(url)
  const report = await location.verify()
  const rebuilt = repair ? { rebuilt: await location.rebuildSearchIndex() } : {}
  const searchIndex = location.hasNoIndex ? {} : { searchIndex: await location.verifySearchIndex() }
  const isReadable = report.problems.length === 0
  const broken = isReadable ? await withReader(url, (store) => brokenEntities(store, types)) : []
  return { ...report, ...rebuilt, ...searchIndex, broken }
}
