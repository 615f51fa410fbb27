import type { Entity } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'
import type { WorldDefinition } from '../definition/definition.ts'
import { type ImportWarning, resultOf } from '../load/events.ts'
import { type ImportResult, importRecords } from '../load/import-records.ts'
import type { ImportSource } from '../load/options.ts'

/** Result of the trial load of a definition. */
export interface Trial extends Pick<ImportResult, 'rejected' | 'rejections'> {
  /** Number of records that would be loaded. */
  readonly loaded: number
  /** Set if only samples of some sources were read. */
  readonly isSampled: boolean
  readonly warnings: readonly ImportWarning[]
  /** First ten entities of each type as they would be published, at most `MOST_SHOWN`. */
  readonly first: readonly Entity[]
}

const SHOWN_OF_TYPE = 10
/** Maximum number of entities shown, as records may name many types. */
const MOST_SHOWN = 500

/**
 * Reads the sources of a definition and checks every record as a load would, but keeps only the ids. `store` must be empty
 * and remains so.
 */
export async function tryDefinition(
  definition: WorldDefinition,
  sources: readonly ImportSource[],
  { store, signal }: { readonly store: Store; readonly signal?: AbortSignal | undefined },
): Promise<Trial> {
  const warnings: ImportWarning[] = []
  const first: Entity[] = []
  const shown = new Map<string, number>()
  let loaded = 0
  const ids = new Set<string>()
  const staged = await store.bulk()
  const trial: Store = {
    ...store,
    bulk: async () => ({
      ...staged,
      async add(entities) {
        const repeated = entities.flatMap(({ type, id }, index) => {
          const before = ids.size
          return ids.add(`${type}\n${id}`).size > before ? [] : [{ index }]
        })
        for (const entity of first.length < MOST_SHOWN ? entities : []) {
          const before = shown.get(entity.type) ?? 0
          shown.set(entity.type, before + 1)
          if (before < SHOWN_OF_TYPE && first.length < MOST_SHOWN) first.push(entity)
        }
        loaded += entities.length - repeated.length
        return repeated
      },
    }),
  }
  const { types, missing } = definition
  const { rejected, rejections } = await resultOf(
    importRecords(trial, sources, { types, missing, dryRun: true, signal }),
    (event) => {
      if (event.event === 'warned') warnings.push(...event.warnings.slice(0, 1))
    },
  )
  const isSampled = sources.some((one) => one.isSampled)
  return { isSampled, loaded, rejected, rejections, warnings, first }
}
