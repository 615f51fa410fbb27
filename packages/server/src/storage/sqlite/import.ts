/** Imports: staged in small transactions beside the entities, made visible by one. */
import { setImmediate as turn } from 'node:timers/promises'
import { applyPut, refuseStale } from '../apply.ts'
import { type CommitOptions, type Import, type ImportCounts, StorageFault } from '../contract.ts'
import { type PreparedEntity, prepare, timestampOf } from '../prepared.ts'
import type { EntityRows } from './entity-rows.ts'
import {
  beginPreparation,
  type Change,
  commitLarge,
  type LargeCommitParts,
  type Preparation,
} from './large-commit.ts'
import { BATCH } from './staging.ts'
import { reading, writing, writingIfFree } from './transaction.ts'
import type { TransactionTable } from './transaction-table.ts'

/** What an import works on. */
export interface ImportParts extends LargeCommitParts {
  readonly rows: EntityRows
  /** Begins a table in the open transaction. */
  readonly table: () => TransactionTable
  /** Called after a commit. */
  readonly committed: () => void
}

/** Begins an import, after removing what dead ones left. @throws StorageFault `busy`, `full` */
export async function beginImport(parts: ImportParts): Promise<Import> {
  const { db, staging, rows } = parts
  await removeWaste(parts)
  const number = await writing(db, () => staging.begin())
  let open = true
  let preparation: Preparation | undefined = beginPreparation(parts)

  function refuseOver(): void {
    if (!open) throw new Error('This import is over: it was committed or aborted.')
  }

  return {
    async add(entities) {
      refuseOver()
      const repeated: number[] = []
      for (let start = 0; start < entities.length; start += BATCH) {
        // Between two batches, others have their turn.
        if (start > 0) await turn()
        const batch = entities.slice(start, start + BATCH).map(prepare)
        await writing(db, () => {
          if (!staging.touch(number)) throw lost()
          for (const [at, prepared] of batch.entries()) {
            if (staging.put(number, prepared)) preparation?.note(changeOf(prepared, rows))
            else repeated.push(start + at)
          }
        })
        await preparation?.ready()
      }
      return repeated
    },
    preview({ replace = [] } = {}) {
      refuseOver()
      return reading(db, () => {
        const { created, changed } = staging.tally(number)
        const deleted = [...new Set(replace)].reduce(
          (sum, type) => sum + staging.countUnstaged(number, type),
          0,
        )
        return { created, changed, unchanged: staging.count(number) - created - changed, deleted }
      })
    },
    async commit(options = {}) {
      refuseOver()
      const staged = preparation
      // What is deleted is noted in it as well: a second commit begins anew.
      preparation = undefined
      const counts =
        (await commitLarge(parts, number, options, staged)) ??
        (await writing(db, () => commit(parts, number, options)))
      open = false
      parts.committed()
      // Done is done: what is left of it can be removed another time, where it cannot be now.
      await removeWaste(parts).catch(() => {})
      return counts
    },
    async abort() {
      if (!open) return
      open = false
      await preparation?.giveUp()
      await writing(db, () => staging.end(number))
      await removeWaste(parts)
    },
  }
}

/**
 * Removes what ended and dead imports left, one short transaction per step, as far as no other process is writing:
 * the rest can wait for the next time.
 */
export function* removingWaste({ db, staging }: Pick<ImportParts, 'db' | 'staging'>): Generator<void> {
  for (const number of staging.wasted()) {
    for (let more = true; more; yield) {
      more = false
      writingIfFree(db, () => {
        more = staging.removeSome(number)
      })
    }
  }
}

async function removeWaste(parts: ImportParts): Promise<void> {
  for (const _ of removingWaste(parts)) await turn()
}

function commit(
  { staging, state, table, now }: ImportParts,
  number: number,
  options: CommitOptions,
): ImportCounts {
  const { replace = [], notes } = options
  refuseStale(options, state.types())
  if (!staging.end(number)) throw lost()
  const entities = table()
  const at = timestampOf(now())
  const counts = { created: 0, changed: 0, unchanged: staging.count(number), deleted: 0 }
  for (const type of new Set(replace)) {
    for (const id of staging.unstaged(number, type)) {
      entities.delete(type, id)
      counts.deleted++
    }
  }
  for (const prepared of staging.differing(number)) {
    const { change } = applyPut(entities, prepared, entities.get(prepared.type, prepared.id), at)
    counts[change === 'created' ? 'created' : 'changed']++
    counts.unchanged--
  }
  entities.settle()
  state.note(notes)
  return counts
}

function changeOf({ type, id, revision, content }: PreparedEntity, rows: EntityRows): Change {
  const stored = rows.get(type, id)
  return {
    type,
    id,
    before: stored?.json ?? null,
    after: stored?.revision === revision ? stored.json : content,
  }
}

function lost(): StorageFault {
  return new StorageFault(
    'busy',
    'Another process took this import for forgotten and ended it. Start it again.',
  )
}
