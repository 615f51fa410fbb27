/** Task of `world status`: describes a store and finds differences from its definition. */

import { ownedIn } from '@worldwright/core/store'
import type { TypeDefinition } from '@worldwright/entities/types'
import { type BrokenType, brokenEntities, type Kept, loadedSources } from '@worldwright/publish'
import { withReader } from '../open/workspace.ts'

/** A store and the types to check it against. */
export interface StatusInput {
  /** URL of the store. */
  readonly store: string
  readonly types: readonly TypeDefinition[]
}

/** Contents of a store, and differences from its definition. */
export interface Status {
  /** Number of entities, by type. */
  readonly types: Readonly<Record<string, number>>
  /** Outcome of the last load of the sources; absent if there was none. */
  readonly loaded?: {
    readonly at?: string | undefined
    readonly rejected: number
    readonly kept: readonly Kept[]
    /** Set if it is a first load that is not complete. */
    readonly isPartial?: true
  }
  /** For each type, how many entities were not written by the sources, and how many of these differ from the sources. */
  readonly owned: Readonly<Record<string, { readonly entities: number; readonly shadowed: number }>>
  /** The first hundred entities that differ from the sources. */
  readonly shadowed: readonly { readonly type: string; readonly id: string; readonly isDeleted: boolean }[]
  /** Entities that violate the schema of their type. */
  readonly broken: readonly BrokenType[]
}

const SHOWN = 100

/** Describes a store. @throws StoreFault if it cannot be opened */
export function storeStatus({ store: url, types }: StatusInput): Promise<Status> {
  return withReader(url, async (store) => {
    const states = await store.types()
    const loaded = await loadedSources(store)
    const owned = await ownedIn(store, { limit: SHOWN })
    return {
      types: Object.fromEntries([...states].map(([type, { count }]) => [type, count])),
      ...(loaded && {
        loaded: {
          at: loaded.at,
          rejected: loaded.rejected,
          kept: loaded.kept ?? [],
          ...(loaded.isPartial && { isPartial: true as const }),
        },
      }),
      owned: Object.fromEntries(owned.types),
      shadowed: owned.shadowed,
      broken: await brokenEntities(store, types),
    }
  })
}
