/** Trial load of a proposed definition, without a store: the records that would be rejected, and why. */
import type { Store } from '@worldwright/core/store'
import type { WorldDefinition } from '../definition/definition.ts'
import { type ImportWarning, resultOf } from '../load/events.ts'
import { type ImportResult, importRecords } from '../load/import-records.ts'
import type { ImportSource } from '../load/options.ts'

/** Result of the trial load of a definition. */
export interface Trial extends Pick<ImportResult, 'rejected' | 'rejections'> {
  /** Number of records that would be loaded. */
  readonly loaded: number
  readonly warnings: readonly ImportWarning[]
}

/**
 * Reads the sources as a definition says, checks every record as a load does, and keeps nothing but the ids. `storage` is
 * empty, and stays empty.
 */
export async function tryDefinition(
  definition: WorldDefinition,
  sources: readonly ImportSource[],
  storage: Store,
): Promise<Trial> {
  const warnings: ImportWarning[] = []
  let loaded = 0
  const ids = new Set<string>()
  const staged = await storage.bulk()
  const trial: Store = {
    ...storage,
    bulk: async () => ({
      ...staged,
      async add(entities) {
        const repeated = entities.flatMap(({ type, id }, place) => {
          const before = ids.size
          return ids.add(`${type}\n${id}`).size > before ? [] : [{ place }]
        })
        loaded += entities.length - repeated.length
        return repeated
      },
    }),
  }
  const { types } = definition
  const { rejected, rejections } = await resultOf(
    importRecords(trial, sources, { types, dryRun: true }),
    (event) => {
      if (event.event === 'warned') warnings.push(...event.warnings.slice(0, 1))
    },
  )
  return { loaded, rejected, rejections, warnings }
}
