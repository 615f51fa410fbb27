/** Imports: staged in small transactions beside the entities, made visible by one. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import type { IndexWriter } from '../../search/write/index-writer.ts'
import { abortable } from '../abortable.ts'
import { refuseStale } from '../apply.ts'
import {
  type CallOptions,
  type CommitOptions,
  type CommitResult,
  type EntityKey,
  type Import,
  type ImportCounts,
  type ImportStart,
  type PreviewOptions,
  type UnstagedCount,
  StorageFault,
} from '../contract.ts'
import { type EntityChange, IndexChanges } from '../index-changes.ts'
import { type PreparedEntity, prepare, timestampOf } from '../prepared.ts'
import { inSteps, STEP_MS } from './background.ts'
import { BATCH, batchOf } from './batch.ts'
import type { EntityRows } from './entity-rows.ts'
import { withFaults } from './faults.ts'
import { ImportPlan, PreparedIndex } from './import-plan.ts'
import type { LogRows } from './log-rows.ts'
import { KEPT, type OwnerRows } from './owner-rows.ts'
import { HEARTBEAT_MS, type Staging } from './staging.ts'
import type { StoreState } from './store-state.ts'
import { reading, writing, writingIfFree } from './transaction.ts'

/** What an import works on. */
export interface ImportParts {
  readonly db: DatabaseSync
  readonly staging: Staging
  readonly state: StoreState
  readonly rows: EntityRows
  readonly log: LogRows
  readonly owners: OwnerRows
  readonly writer: IndexWriter
  readonly now: () => Date
  /** Begins what is to be done in the background: an import has begun, so that others may be dead, or has ended. */
  readonly maintainSoon: () => void
}

type Plan = ImportPlan<PreparedIndex>

/** How often a plan is made again because somebody wrote the same types meanwhile. */
const ATTEMPTS = 3

/** Begins an import. @throws StorageFault `busy`, `full` */
export async function beginImport(parts: ImportParts, { files }: ImportStart = {}): Promise<Import> {
  const number = await writing(parts.db, () => parts.staging.begin())
  parts.maintainSoon()
  const running = new RunningImport(parts, number, files)
  return abortable<Import>({
    add: (entities, options) => running.add(entities, options),
    keep: (keys, options) => running.keep(keys, options),
    unstaged: (types) => running.unstaged(types),
    preview: (options) => running.preview(options),
    commit: (options) => running.commit(options),
    abort: () => running.abort(),
  })
}

class RunningImport {
  readonly #parts: ImportParts
  readonly #number: number
  readonly #files: ImportStart['files']
  /** An import lives as long as it says so: it dies with its thread as well as with its process. */
  readonly #heartbeat: NodeJS.Timeout
  #state: 'open' | 'aborted' | 'finished' = 'open'
  /** What a commit would do, collected while it is staged; absent where it has to be found out again. */
  #plan: Plan | undefined
  /** The types that the plan replaces, once it is whole. */
  #replaced: string | undefined

  constructor(parts: ImportParts, number: number, files: ImportStart['files']) {
    this.#parts = parts
    this.#number = number
    this.#files = files
    this.#plan = this.#emptyPlan()
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
  }

  async add(entities: readonly Entity[], { signal }: CallOptions = {}): Promise<readonly number[]> {
    const { db, staging } = this.#parts
    this.#refuseEnded()
    if (this.#replaced !== undefined) await this.#dropPlan()
    const repeated: number[] = []
    for (let start = 0; start < entities.length; ) {
      // Between two batches, others have their turn.
      if (start > 0) await turn()
      signal?.throwIfAborted()
      const batch = reading(db, () => this.#batchFrom(entities.slice(start, start + BATCH)))
      const isNew = await writing(
        db,
        () => {
          if (!staging.heartbeat(this.#number)) throw importExpired()
          return batch.map(({ prepared, stays }) =>
            stays
              ? staging.hold(this.#number, prepared, prepared.revision)
              : staging.put(this.#number, prepared),
          )
        },
        signal,
      )
      for (const [at, { change }] of batch.entries()) {
        if (isNew[at]) this.#plan?.note(change)
        else repeated.push(start + at)
      }
      await this.#plan?.index.ready()
      start += batch.length
    }
    return repeated
  }

  async keep(keys: readonly EntityKey[], { signal }: CallOptions = {}): Promise<void> {
    const { db, staging } = this.#parts
    this.#refuseEnded()
    if (this.#replaced !== undefined) await this.#dropPlan()
    for (let start = 0; start < keys.length; start += BATCH) {
      const batch = keys.slice(start, start + BATCH)
      await writing(db, () => batch.forEach((key) => staging.hold(this.#number, key, KEPT)), signal)
    }
  }

  async unstaged(types: readonly string[]): Promise<ReadonlyMap<string, UnstagedCount>> {
    this.#refuseEnded()
    const { db, staging } = this.#parts
    const some = new Set(await this.#staging(() => this.#keepOwned(types), types))
    const counts = reading(db, () => staging.unstaged(this.#number, types))
    return new Map(
      [...counts].map(([type, count]) => [type, some.has(type) ? count : { ...count, missing: 0 }]),
    )
  }

  async preview({ replace = [], signal }: PreviewOptions = {}): Promise<ImportCounts> {
    this.#refuseEnded()
    const { state, staging } = this.#parts
    const plan = withFaults(() => new ImportPlan(state, { note() {}, async ready() {} }))
    const all = [...new Set(replace)]
    const gone = await this.#staging(() => this.#settleOwners(all), all, signal)
    await this.#compare(plan, staging.compared(this.#number), signal)
    await this.#compare(plan, staging.missing(this.#number, gone), signal)
    return plan.counts
  }

  async commit(options: CommitOptions = {}): Promise<CommitResult> {
    this.#refuseEnded()
    const { db } = this.#parts
    const replace = [...new Set(options.replace)].sort()
    let result: CommitResult | undefined
    for (let attempt = 0; attempt < ATTEMPTS && !result; attempt++) {
      const plan = await this.#wholePlan(replace, options.signal)
      result = await writing(db, () => this.#applyPlan(plan, replace, options), options.signal)
      if (!result) await this.#dropPlan()
    }
    // Others keep writing the same types: compare once more while the lock keeps them out.
    result ??= await writing(db, () => this.#applyAtOnce(replace, options), options.signal)
    await this.#end()
    return result
  }

  async abort(): Promise<void> {
    if (this.#state === 'finished') return
    const { db, staging } = this.#parts
    this.#state = 'aborted'
    clearInterval(this.#heartbeat)
    try {
      await this.#dropPlan()
      await writing(db, () => staging.finish(this.#number))
    } catch (error) {
      staging.giveUp(this.#number)
      throw error
    }
    await this.#end()
  }

  #emptyPlan(): Plan {
    const { db, writer, state } = this.#parts
    return reading(db, () => new ImportPlan(state, new PreparedIndex(db, writer, state.searchWeights())))
  }

  /** A batch of the given entities, each with the change it would be. Without a plan, nothing is read for it. */
  #batchFrom(entities: readonly Entity[]) {
    const items = entities.values().map((entity) => {
      const prepared = prepare(entity)
      return { prepared, ...this.#changeOf(prepared) }
    })
    return batchOf(items, ({ change }) => [change.before, change.after])
  }

  /** What an entity would change; where others own what stands, nothing: it stays. */
  #changeOf({ type, id, revision, content }: PreparedEntity): { change: EntityChange; stays: boolean } {
    const { rows, owners } = this.#parts
    const stored = this.#plan && rows.get(type, id)
    const isSame = stored?.revision === revision
    const owner = this.#plan && this.#files && !isSame ? owners.ownerOf(type, this.#files) : 'files'
    const stays = owners.stays(type, id, revision, stored !== undefined, owner)
    const after = isSame || stays ? stored?.json : content
    return { change: { type, id, before: stored?.json, after }, stays }
  }

  /** The plan of all that was staged, and of what is missing of these types. */
  async #wholePlan(replace: readonly string[], signal: AbortSignal | undefined): Promise<Plan> {
    const { staging } = this.#parts
    const replaced = JSON.stringify(replace)
    if (this.#plan && this.#replaced === replaced) return this.#plan
    if (this.#replaced !== undefined) await this.#dropPlan()
    const staged = this.#plan
    const plan = staged ?? this.#emptyPlan()
    this.#plan = plan
    try {
      const settle = () => (staged ? this.#keepOwned(replace) : this.#settleOwners(replace))
      const gone = await this.#staging(settle, replace, signal)
      if (!staged) await this.#compare(plan, staging.compared(this.#number), signal)
      await this.#compare(plan, staging.missing(this.#number, gone), signal)
      await plan.index.finish()
    } catch (error) {
      await this.#dropPlan()
      throw error
    }
    this.#replaced = replaced
    return plan
  }

  /** Notes changes, a batch at a time, so that others have their turn. */
  async #compare(
    plan: ImportPlan<Pick<PreparedIndex, 'note' | 'ready'>>,
    batches: Iterator<readonly EntityChange[]>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (;;) {
      const { done, value } = withFaults(() => batches.next())
      if (done) return
      for (const change of value) plan.note(change)
      await plan.index.ready()
      await turn()
      signal?.throwIfAborted()
    }
  }

  /** Applies a plan, in the transaction that counts; undefined, with nothing done, where it no longer holds. */
  #applyPlan(plan: Plan, replace: readonly string[], options: CommitOptions): CommitResult | undefined {
    const { writer, state } = this.#parts
    this.#refuseStale(options)
    if (!plan.holds(replace)) return undefined
    plan.index.publish(new IndexChanges(writer, state.searchWeights()))
    this.#putInPlace(plan, replace, options)
    return { ...plan.counts, position: state.position() }
  }

  #applyAtOnce(replace: readonly string[], options: CommitOptions): CommitResult {
    const { writer, state, staging } = this.#parts
    this.#refuseStale(options)
    const plan = new ImportPlan(state, new IndexChanges(writer, state.searchWeights()))
    const gone = this.#settleOwners(replace)
    for (const batch of staging.compared(this.#number)) batch.forEach(plan.note, plan)
    for (const batch of staging.missing(this.#number, gone)) batch.forEach(plan.note, plan)
    plan.index.finish()
    this.#putInPlace(plan, replace, options)
    return { ...plan.counts, position: state.position() }
  }

  /** Puts the rows in place, once the index is written. */
  #putInPlace(
    { growth, types }: Pick<ImportPlan<never>, 'growth' | 'types'>,
    replaced: readonly string[],
    { metadata }: CommitOptions,
  ): void {
    const { staging, rows, log, state, owners, now } = this.#parts
    const replace = this.#keepOwned(replaced)
    if (!staging.finish(this.#number)) throw importExpired()
    const at = now()
    const next = state.history().number + 1
    const staged = { number: this.#number, types: new Set([...types, ...replaced]), replaced: replace }
    if (this.#files) owners.noteFiles(staged, this.#files)
    else owners.noteImport(staged)
    rows.putStaged(this.#number, timestampOf(at), next)
    log.forgetStaged(this.#number)
    for (const type of replace) {
      log.recordMissing(this.#number, type, next, at.getTime())
      rows.deleteMissing(this.#number, type)
    }
    state.advance(growth, metadata)
  }

  /** Runs what concerns owners in a transaction of its own; of others than files, all types are as they were given. */
  async #staging(
    settle: () => readonly string[],
    types: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    return this.#files ? writing(this.#parts.db, settle, signal) : types
  }

  /** Keeps what others own of replaced types. Answers those of which the rest goes. */
  #keepOwned(replace: readonly string[]): readonly string[] {
    return this.#files ? this.#parts.owners.keepOwned(this.#number, replace, this.#files) : replace
  }

  /** As `keepOwned`, where what was staged may own less than it did by now. */
  #settleOwners(replace: readonly string[]): readonly string[] {
    if (this.#files) this.#parts.owners.holdStaged(this.#number, this.#files)
    return this.#keepOwned(replace)
  }

  #refuseStale(options: CommitOptions): void {
    const { state } = this.#parts
    refuseStale(options, state.types(), (key) => state.metadata(key)?.value)
  }

  async #dropPlan(): Promise<void> {
    const plan = this.#plan
    this.#plan = undefined
    this.#replaced = undefined
    await plan?.index.discard()
  }

  #beat(): void {
    const { db, staging } = this.#parts
    try {
      if (db.isOpen) writingIfFree(db, () => void staging.heartbeat(this.#number))
      else clearInterval(this.#heartbeat)
    } catch {
      // One that is missed does not matter.
    }
  }

  #refuseEnded(): void {
    if (this.#state !== 'open') throw new Error('This import has ended: it was committed or aborted.')
  }

  /** Removes what was staged. What cannot be removed now, the background removes. */
  async #end(): Promise<void> {
    const { db, staging, maintainSoon } = this.#parts
    this.#state = 'finished'
    clearInterval(this.#heartbeat)
    maintainSoon()
    await inSteps(db, () => staging.removeSome(this.#number, STEP_MS)).catch(() => {})
  }
}

/** The fault of an import that finds that it was ended by others. */
export function importExpired(): StorageFault {
  return new StorageFault('busy', 'This import expired: its process seemed to be gone. Start it again.')
}
