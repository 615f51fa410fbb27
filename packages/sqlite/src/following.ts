/** Collects an upstream's changes and commits them in one transaction. */
import { setImmediate as turn } from 'node:timers/promises'
import type {
  CallOptions,
  EntityChange,
  FollowedChange,
  FollowedState,
  Following,
} from '@worldwright/core/store'
import { abortable, epochOf, numberOf, reachOf } from '@worldwright/core/store'
import { IndexChanges } from '@worldwright/search/entities'
import { BATCH, batchOf } from './batch.ts'
import { FollowedPlan } from './followed-plan.ts'
import { FollowedRows } from './followed-rows.ts'
import type { ImportParts } from './import-parts.ts'
import { endWrite } from './index-from-entities.ts'
import { withFaults } from './sqlite-faults.ts'
import type { Advance } from './store-state.ts'
import { reading, writing } from './transaction.ts'
import { TransactionTable } from './transaction-table.ts'

/** Starts applying upstream changes. `moved` is called after each commit. */
export function beginFollowing(parts: ImportParts, moved: () => void): Following {
  const running = new RunningFollowing(parts)
  return abortable<Following>({
    add: (changes, options) => running.add(changes, options),
    async commit(state) {
      await running.commit(state)
      moved()
    },
    abort: () => running.abort(),
  })
}

interface Staged {
  readonly rows: FollowedRows
  readonly plan: FollowedPlan
}

/** Collects changes, in memory if they are few and otherwise in a temporary file. */
class RunningFollowing {
  readonly #parts: ImportParts
  #waiting: FollowedChange[] = []
  #characters = 0
  #staged: Staged | undefined
  #hasEnded = false

  constructor(parts: ImportParts) {
    this.#parts = parts
  }

  async add(changes: readonly FollowedChange[], { signal }: CallOptions = {}): Promise<void> {
    this.#refuseEnded()
    for (const change of changes) {
      this.#waiting.push(change)
      this.#characters += change.entity?.json.length ?? 0
    }
    if (this.#waiting.length >= BATCH || this.#characters >= MAX_WAITING_CHARACTERS) await this.#stage(signal)
  }

  async commit(state: FollowedState): Promise<void> {
    this.#refuseEnded()
    const { db } = this.#parts
    const isOther = epochOf(state.position) !== this.#parts.state.history().epoch
    const replaces = (isOther || state.fromBeginning === true) && this.#parts.state.types().size > 0
    if (this.#staged === undefined && !replaces) await writing(db, () => this.#applyAtOnce(state))
    else await this.#applyStaged(state, replaces)
    this.#end()
  }

  async abort(): Promise<void> {
    this.#hasEnded = true
    try {
      await this.#staged?.plan.discard()
    } finally {
      this.#end()
    }
  }

  #applyAtOnce(state: FollowedState): void {
    const { writer, now } = this.#parts
    const changes = new IndexChanges(writer, this.#parts.state.indexRules())
    const table = new TransactionTable({ ...this.#parts, changes, at: now().getTime() })
    const epoch = epochOf(state.position)
    for (const { type, id, entity, position } of this.#waiting) {
      const number = numberOf(epoch, position) ?? 0
      const existing = table.get(type, id)
      if (entity) table.put(entity, existing, number)
      else if (existing) table.delete(existing, number)
      else table.recordDeletion(type, id, number)
    }
    table.finish(state.values, advanceOf(state))
  }

  async #stage(signal: AbortSignal | undefined): Promise<void> {
    const changes = this.#waiting
    this.#waiting = []
    this.#characters = 0
    const { rows, plan } = this.#begun()
    for (let start = 0; start < changes.length; await turn()) {
      signal?.throwIfAborted()
      const batch = batchOf(changes.slice(start, start + BATCH), ({ entity }) => [entity?.json ?? ''])
      // A read transaction suffices, because writes go only to the temporary file.
      reading(this.#parts.db, () => {
        for (const change of batch) {
          const before = rows.put(change)
          if (before === undefined) plan.note(this.#changeOf(change))
          else plan.noteAgain(change, before, change.entity?.json)
        }
      })
      await plan.ready()
      start += batch.length
    }
  }

  #begun(): Staged {
    const { db, file } = this.#parts
    this.#staged ??= {
      rows: withFaults(() => new FollowedRows(db, file)),
      plan: new FollowedPlan(this.#parts),
    }
    return this.#staged
  }

  /** Returns a change relative to the stored entity. `before` may equal `after` if the entity was deleted and recreated. */
  #changeOf({ type, id, entity }: FollowedChange): EntityChange {
    return { type, id, before: this.#parts.rows.standing(type, id)?.json, after: entity?.json }
  }

  async #applyStaged(state: FollowedState, replaces: boolean): Promise<void> {
    const { db, log, now } = this.#parts
    await this.#stage(state.signal)
    const { rows, plan } = this.#begun()
    const types = replaces ? [...this.#parts.state.types().keys()] : []
    try {
      await plan.finish(rows, types)
      await writing(db, () => {
        const growth = plan.publish()
        for (const type of types) rows.deleteMissing(type)
        if (replaces) log.clear()
        rows.apply(now().getTime())
        endWrite(this.#parts, growth, state.values, advanceOf(state))
      })
    } catch (error) {
      await plan.discard()
      throw error
    }
  }

  #end(): void {
    this.#hasEnded = true
    this.#waiting = []
    this.#staged?.rows.close()
    this.#staged = undefined
    this.#parts.maintainSoon()
  }

  #refuseEnded(): void {
    if (this.#hasEnded) throw new Error('This has ended: it was committed or aborted.')
  }
}

/** Maximum size of the changes kept in memory, in characters. Above it, they are moved to the temporary file. */
const MAX_WAITING_CHARACTERS = 4_000_000

function advanceOf({ position, earliest, versions }: FollowedState): Advance {
  const epoch = epochOf(position)
  const number = (of: string) => numberOf(epoch, of) ?? 0
  return {
    epoch,
    number: number(position),
    pending: reachOf(epoch, position)?.pending ?? [],
    trimmed: number(earliest),
    types: new Map([...versions].map(([type, version]) => [type, number(version)])),
  }
}
