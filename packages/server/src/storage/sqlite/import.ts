/** Imports: staged in small transactions beside the entities, made visible by one. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import { applyPut, refuseStale } from '../apply.ts'
import type { CommitOptions, Import, ImportCounts, StoredEntity } from '../contract.ts'
import { type PreparedEntity, prepare, timestampOf } from '../prepared.ts'
import { inSteps, STEP_MS } from './background.ts'
import { BATCH, batchOf } from './batch.ts'
import type { EntityRows } from './entity-rows.ts'
import {
  beginPreparation,
  type Change,
  commitLarge,
  type LargeCommitParts,
  lost,
  type Preparation,
} from './large-commit.ts'
import { PULSE_MS } from './staging.ts'
import { reading, writing, writingIfFree } from './transaction.ts'
import type { TransactionTable } from './transaction-table.ts'

/** What an import works on. */
export interface ImportParts extends LargeCommitParts {
  readonly rows: EntityRows
  /** Begins a table in the open transaction. */
  readonly table: () => TransactionTable
  /** Begins what is to be done in the background: an import has begun, so that others may be dead, or is over. */
  readonly tidySoon: () => void
}

/** Begins an import. @throws StorageFault `busy`, `full` */
export async function beginImport(parts: ImportParts): Promise<Import> {
  const { db, staging, rows, tidySoon } = parts
  let preparation: Preparation | undefined = beginPreparation(parts)
  const number = await writing(db, () => staging.begin())
  tidySoon()
  let state: 'open' | 'aborted' | 'over' = 'open'
  // An import lives as long as somebody touches it: so it dies with its thread as well as with its process.
  const pulse = setInterval(touch, PULSE_MS).unref()

  function touch(): void {
    try {
      if (db.isOpen) writingIfFree(db, () => void staging.touch(number))
      else clearInterval(pulse)
    } catch {
      // One that is missed does not matter.
    }
  }

  function refuseOver(): void {
    if (state !== 'open') throw new Error('This import is over: it was committed or aborted.')
  }

  /** A batch of what is given, each with the change it would be: nothing is read where nobody wants to know. */
  function batchFrom(entities: readonly Entity[]) {
    const items = entities.values().map((entity) => {
      const prepared = prepare(entity)
      return { prepared, change: changeOf(prepared, preparation && rows.get(entity.type, entity.id)) }
    })
    return batchOf(items, ({ change }) => [change.before, change.after])
  }

  return {
    async add(entities, { signal } = {}) {
      refuseOver()
      const repeated: number[] = []
      for (let start = 0; start < entities.length; ) {
        // Between two batches, others have their turn.
        if (start > 0) await turn()
        signal?.throwIfAborted()
        const batch = reading(db, () => batchFrom(entities.slice(start, start + BATCH)))
        const isNew = await writing(db, () => {
          if (!staging.touch(number)) throw lost()
          return batch.map(({ prepared }) => staging.put(number, prepared))
        })
        for (const [at, { change }] of batch.entries()) {
          if (isNew[at]) preparation?.note(change)
          else repeated.push(start + at)
        }
        await preparation?.ready()
        start += batch.length
      }
      return repeated
    },
    preview({ replace = [], signal } = {}) {
      refuseOver()
      signal?.throwIfAborted()
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
      options.signal?.throwIfAborted()
      const staged = preparation
      // What is deleted is noted in it as well: a second commit begins anew.
      preparation = undefined
      const counts =
        (await commitLarge(parts, number, options, staged)) ??
        (await writing(db, () => commit(parts, number, options)))
      state = 'over'
      clearInterval(pulse)
      await removeStaged(parts, number)
      return counts
    },
    async abort() {
      if (state === 'over') return
      state = 'aborted'
      clearInterval(pulse)
      try {
        await preparation?.giveUp()
        await writing(db, () => staging.end(number))
      } catch (error) {
        staging.giveUp(number)
        throw error
      }
      state = 'over'
      await removeStaged(parts, number)
    },
  }
}

/** Removes what an import that is over staged. Over is over: what cannot be removed now, the background removes. */
async function removeStaged({ db, staging, tidySoon }: ImportParts, number: number): Promise<void> {
  tidySoon()
  await inSteps(db, () => staging.removeSome(number, STEP_MS)).catch(() => {})
}

function commit(
  { staging, state, table, now }: ImportParts,
  number: number,
  options: CommitOptions,
): ImportCounts {
  const { replace = [], metadata } = options
  refuseStale(options, state.types(), (key) => state.metadata(key)?.value)
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
  entities.finish(metadata)
  return counts
}

function changeOf({ type, id, revision, content }: PreparedEntity, stored: StoredEntity | undefined): Change {
  return {
    type,
    id,
    before: stored?.json ?? null,
    after: stored?.revision === revision ? stored.json : content,
  }
}
