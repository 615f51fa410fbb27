/** Work of `world status` in its thread: describes the store, and finds differences from its definition. */

import { ownedIn } from '@worldwright/core/store'
import type { TypeDefinition } from '@worldwright/entities/types'
import { type BrokenType, brokenEntities, type Kept, loadedSources } from '@worldwright/publish'
import { withReader } from '../open/workspace.ts'

/** A store, and the types to check it against. */
export interface StatusInput {
  /** The URL of the store. */
  readonly store: string
  readonly types: readonly TypeDefinition[]
}

/** Contents of a store, and the discrepancies in it. */
export interface Status {
  /** Number of entities, by type. */
  readonly types: Readonly<Record<string, number>>
  /** The last load of the sources; absent if there was none. */
  readonly loaded?: {
    readonly at?: string | undefined
    readonly rejected: number
    readonly kept: readonly Kept[]
  }
  /** By type: entities that the sources did not write, and those among them that the sources contradict. */
  readonly owned: Readonly<Record<string, { readonly entities: number; readonly shadowed: number }>>
  /** The first hundred entities that the sources contradict. */
  readonly shadowed: readonly { readonly type: string; readonly id: string; readonly isDeleted: boolean }[]
  /** Entities that break the schema of their type. */
  readonly broken: readonly BrokenType[]
}

const SHOWN = 100

/** Describes a store. @throws StorageFault if it cannot be opened */
export function storeStatus({ store, types }: StatusInput): Promise<Status> {
  return withReader(store, async (storage) => {
    const states = await storage.types()
    const loaded = await loadedSources(storage)
    const owned = await ownedIn(storage, { limit: SHOWN })
    return {
      types: Object.fromEntries([...states].map(([type, { count }]) => [type, count])),
      ...(loaded && { loaded: { at: loaded.at, rejected: loaded.rejected, kept: loaded.kept ?? [] } }),
      owned: Object.fromEntries(owned.types),
      shadowed: owned.shadowed,
      broken: await brokenEntities(storage, types),
    }
  })
}
