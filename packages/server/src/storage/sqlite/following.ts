/** Following another store's history: what it says is collected, and put in place by one transaction. */
import { setImmediate as turn } from 'node:timers/promises'
import { abortable } from '../abortable.ts'
import type { CallOptions, FollowedChange, FollowedState, Following } from '../contract.ts'
import { epochOf, numberOf } from '../history.ts'
import { IndexChanges } from '../index-changes.ts'
import { inSteps, STEP_MS } from './background.ts'
import { BATCH, batchOf } from './batch.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { ImportParts } from './import.ts'
import { ImportPlan, noteAll, PreparedIndex } from './import-plan.ts'
import { importExpired } from './staging.ts'
import type { Advance } from './store-state.ts'
import { reading, writing } from './transaction.ts'
import { TransactionTable } from './transaction-table.ts'

/** Begins to take over changes. `moved` is called after each commit. */
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

/** Few changes wait in memory; many are staged, as an import is. */
class RunningFollowing {
  readonly #parts: ImportParts
  #waiting: FollowedChange[] = []
  #characters = 0
  #staged: number | undefined
  #stopHeartbeat: () => void = () => {}
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
    this.#hasEnded = true
    await this.#removeStaged()
  }

  async abort(): Promise<void> {
    this.#hasEnded = true
    const { db, staging } = this.#parts
    const number = this.#staged
    if (number !== undefined) await writing(db, () => staging.finish(number))
    await this.#removeStaged()
  }

  #applyAtOnce(state: FollowedState): void {
    const { writer, now } = this.#parts
    const changes = new IndexChanges(writer, this.#parts.state.searchWeights())
    const table = new TransactionTable({ ...this.#parts, changes, at: now().getTime() })
    const epoch = epochOf(state.position)
    for (const { type, id, entity, position } of this.#waiting) {
      const number = numberOf(epoch, position) ?? 0
      const existing = table.get(type, id)
      if (entity) table.put(entity, existing, number)
      else if (existing) table.delete(existing, number)
      else table.recordDeletion(type, id, number)
    }
    table.finish(state.metadata, advanceOf(state))
  }

  async #stage(signal: AbortSignal | undefined): Promise<void> {
    const { db, staging } = this.#parts
    const changes = this.#waiting
    this.#waiting = []
    this.#characters = 0
    const number = this.#staged ?? (await this.#begin())
    for (let start = 0; start < changes.length; await turn()) {
      signal?.throwIfAborted()
      const batch = batchOf(changes.slice(start, start + BATCH), ({ entity }) => [entity?.json ?? ''])
      await writing(db, () => {
        if (!staging.heartbeat(number)) throw importExpired()
        for (const change of batch)
          staging.putFollowed(
            number,
            change,
            Number(change.position.slice(epochOf(change.position).length + 1)),
          )
      })
      start += batch.length
    }
  }

  async #begin(): Promise<number> {
    const { db, staging } = this.#parts
    const number = await writing(db, () => staging.begin())
    this.#staged = number
    this.#stopHeartbeat = startHeartbeat(db, staging, number)
    return number
  }

  async #applyStaged(state: FollowedState, replaces: boolean): Promise<void> {
    const { db, writer, staging, rows, log, now } = this.#parts
    await this.#stage(state.signal)
    const number = this.#staged as number
    const types = replaces ? [...this.#parts.state.types().keys()] : []
    const plan = reading(
      db,
      () =>
        new ImportPlan(this.#parts.state, new PreparedIndex(db, writer, this.#parts.state.searchWeights())),
    )
    try {
      await noteAll(plan, staging.followed(number))
      await noteAll(plan, staging.missing(number, types))
      await plan.index.finish()
      await writing(db, () => {
        if (!staging.finish(number)) throw importExpired()
        plan.index.publish(new IndexChanges(writer, this.#parts.state.searchWeights()))
        for (const type of types) rows.deleteMissing(number, type)
        if (replaces) log.clear()
        rows.applyFollowed(number)
        log.forgetStaged(number)
        log.recordFollowed(number, now().getTime())
        this.#parts.state.advance(plan.growth, state.metadata, advanceOf(state))
      })
    } catch (error) {
      await plan.index.discard()
      throw error
    }
  }

  async #removeStaged(): Promise<void> {
    const { db, staging, maintainSoon } = this.#parts
    this.#stopHeartbeat()
    this.#waiting = []
    maintainSoon()
    const number = this.#staged
    if (number !== undefined) await inSteps(db, () => staging.removeSome(number, STEP_MS)).catch(() => {})
  }

  #refuseEnded(): void {
    if (this.#hasEnded) throw new Error('This has ended: it was committed or aborted.')
  }
}

/** Characters of changes that wait in memory at most. */
const MAX_WAITING_CHARACTERS = 4_000_000

/** What a store takes over of the history that it follows. */
function advanceOf({ position, earliest, versions }: FollowedState): Advance {
  const epoch = epochOf(position)
  const number = (of: string) => numberOf(epoch, of) ?? 0
  return {
    epoch,
    number: number(position),
    trimmed: number(earliest),
    types: new Map([...versions].map(([type, version]) => [type, number(version)])),
  }
}
