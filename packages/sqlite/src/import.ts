import { setImmediate as turn } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import type {
  AddOptions,
  Bulk,
  CommitOptions,
  CommitResult,
  EntityChange,
  EntityKey,
  ImportStart,
  Repeated,
  UnstagedCount,
} from '@worldwright/core/store'
import { abortable, type PreparedEntity, prepare, refuseStale, timestampOf } from '@worldwright/core/store'
import { IndexChanges } from '@worldwright/search/entities'
import { BATCH, batchOf } from './batch.ts'
import type { ImportParts } from './import-parts.ts'
import { ImportPlan, noteAll, PreparedIndex } from './import-plan.ts'
import { ImportPrecedence } from './import-precedence.ts'
import { endWrite } from './index-from-entities.ts'
import { withFaults } from './sqlite-faults.ts'
import { reading, writing } from './transaction.ts'

type Plan = ImportPlan<PreparedIndex>

/** Maximum number of attempts to apply a plan. Concurrent writes to the same types invalidate it. */
const ATTEMPTS = 3

/** Begins an import. @throws StoreFault `busy`, `full` */
export async function beginImport(parts: ImportParts, { files }: ImportStart = {}): Promise<Bulk> {
  const number = withFaults(() => parts.staging.begin())
  const running = new RunningImport(parts, number, files)
  return abortable<Bulk>({
    add: (entities, options) => running.add(entities, options),
    unstaged: (types) => running.unstaged(types),
    commit: (options) => running.commit(options),
    abort: () => running.abort(),
  })
}

class RunningImport {
  readonly #parts: ImportParts
  readonly #number: number
  readonly #precedence: ImportPrecedence
  #state: 'open' | 'aborted' | 'finished' = 'open'
  /** Plan of the commit, collected during staging; undefined if it must be rebuilt. */
  #plan: Plan | undefined
  /** Replaced types that the completed plan covers, as JSON; undefined if the plan is not completed. */
  #replaced: string | undefined
  /** True if the index can be built without knowing the time of the commit. */
  #isTimeless = true

  constructor(parts: ImportParts, number: number, files: ImportStart['files']) {
    this.#parts = parts
    this.#number = number
    this.#precedence = new ImportPrecedence(parts.db, parts.precedence, number, files)
    this.#plan = this.#emptyPlan()
  }

  async add(
    entities: readonly Entity[],
    { signal, marks, keep = [] }: AddOptions = {},
  ): Promise<readonly Repeated[]> {
    const { db, staging } = this.#parts
    this.#refuseEnded()
    if (this.#replaced !== undefined) await this.#dropPlan()
    if (keep.length > 0) this.#protect(keep)
    const repeated: Repeated[] = []
    for (let start = 0; start < entities.length; ) {
      // Yield to other work between batches.
      if (start > 0) await turn()
      signal?.throwIfAborted()
      this.#refuseEnded()
      // A read transaction suffices, because writes go only to the temporary file.
      const [batch, isNew] = reading(db, () => {
        const batch = this.#batchFrom(entities.slice(start, start + BATCH))
        return [
          batch,
          batch.map(({ prepared, stays }, at) => {
            const mark = marks?.[start + at]
            if (stays) return staging.hold(this.#number, prepared, prepared.revision, mark)
            return staging.put(this.#number, prepared, mark)
          }),
        ]
      })
      for (const [at, { change }] of batch.entries()) {
        if (isNew[at]) this.#plan?.note(change)
        else repeated.push({ index: start + at, mark: this.#markOf(change) })
      }
      await this.#plan?.index.ready()
      start += batch.length
    }
    return repeated
  }

  #markOf(key: EntityKey): number | undefined {
    return withFaults(() => this.#parts.staging.markOf(this.#number, key))
  }

  #protect(keys: readonly EntityKey[]): void {
    const { db, staging } = this.#parts
    reading(db, () => staging.protect(this.#number, keys))
  }

  async unstaged(types: readonly string[]): Promise<ReadonlyMap<string, UnstagedCount>> {
    this.#refuseEnded()
    const { db, staging } = this.#parts
    const someGo = new Set(this.#precedence.staged('keep', types))
    return reading(db, () => staging.unstaged(this.#number, types, someGo))
  }

  async #preview({ replace = [], signal }: CommitOptions): Promise<CommitResult> {
    const { state, staging } = this.#parts
    const plan = withFaults(() => new ImportPlan(state, { note() {}, async ready() {} }))
    const gone = this.#precedence.staged('settle', [...new Set(replace)])
    await noteAll(plan, staging.compared(this.#number), signal)
    await noteAll(plan, staging.missing(this.#number, gone), signal)
    return { ...plan.counts, position: withFaults(state.position) }
  }

  async commit(options: CommitOptions = {}): Promise<CommitResult> {
    this.#refuseEnded()
    if (options.dryRun) return this.#preview(options)
    const { db } = this.#parts
    const replace = [...new Set(options.replace)].sort()
    let result: CommitResult | undefined
    for (let attempt = 0; attempt < ATTEMPTS && !result && this.#isTimeless; attempt++) {
      const plan = await this.#wholePlan(replace, options.signal)
      result = await writing(db, () => this.#applyPlan(plan, replace, options), options.signal)
      if (!result) await this.#dropPlan()
    }
    // Concurrent writes keep invalidating the plan, or the index depends on the commit time: compare again, under the lock.
    result ??= await writing(db, () => this.#applyAtOnce(replace, options), options.signal)
    this.#end('finished')
    return result
  }

  async abort(): Promise<void> {
    if (this.#state !== 'open') return
    this.#end('aborted')
    await this.#dropPlan()
  }

  #emptyPlan(): Plan {
    const { db, writer, state } = this.#parts
    return reading(db, () => new ImportPlan(state, new PreparedIndex(db, writer, state.indexRules())))
  }

  /** Prepares a batch of entities and their changes. Without a plan, stored entities are not read. */
  #batchFrom(entities: readonly Entity[]) {
    const items = entities.values().map((entity) => {
      const prepared = prepare(entity)
      return { prepared, ...this.#changeOf(prepared) }
    })
    return batchOf(items, ({ change }) => [change.before, change.after])
  }

  /** Returns the change that committing an entity would make. `before` and `after` are equal if the stored entity stays. */
  #changeOf(prepared: PreparedEntity): { change: EntityChange; stays: boolean } {
    const { type, id, revision, content } = prepared
    const stored = this.#plan && this.#parts.rows.standing(type, id)
    const isSame = stored?.revision === revision
    const stays = !isSame && !!this.#plan && this.#precedence.stays(prepared, stored !== undefined)
    const after = isSame || stays ? stored?.json : content
    return { change: { type, id, before: stored?.json, after }, stays }
  }

  /** Returns the completed plan: all staged entities, and the deletions in replaced types. */
  async #wholePlan(replace: readonly string[], signal: AbortSignal | undefined): Promise<Plan> {
    const { staging } = this.#parts
    const replaced = JSON.stringify(replace)
    if (this.#plan && this.#replaced === replaced) return this.#plan
    if (this.#replaced !== undefined) await this.#dropPlan()
    const staged = this.#plan
    const plan = staged ?? this.#emptyPlan()
    this.#plan = plan
    try {
      const gone = this.#precedence.staged(staged ? 'keep' : 'settle', replace)
      if (!staged) await noteAll(plan, staging.compared(this.#number), signal)
      await noteAll(plan, staging.missing(this.#number, gone), signal)
      await plan.index.finish()
    } catch (error) {
      await this.#dropPlan()
      throw error
    }
    this.#replaced = replaced
    return plan
  }

  /** Applies a plan in the commit transaction. If the plan is no longer valid, changes nothing and returns undefined. */
  #applyPlan(plan: Plan, replace: readonly string[], options: CommitOptions): CommitResult | undefined {
    const { writer, state } = this.#parts
    this.#refuseStale(options)
    if (!plan.holds(replace)) return undefined
    const [at, moment] = this.#now()
    // The index does not fit if a stored timestamp is in the same second or, because the clock was set back, later.
    this.#isTimeless = plan.index.fits(moment)
    if (!this.#isTimeless) return undefined
    plan.index.publish(new IndexChanges(writer, state.indexRules(), moment), moment)
    this.#putInPlace(plan, replace, options, at)
    return { ...plan.counts, position: state.position() }
  }

  #applyAtOnce(replace: readonly string[], options: CommitOptions): CommitResult {
    const { writer, state, staging } = this.#parts
    this.#refuseStale(options)
    const [at, moment] = this.#now()
    const plan = new ImportPlan(state, new IndexChanges(writer, state.indexRules(), moment))
    const gone = this.#precedence.settle(replace)
    for (const batch of staging.compared(this.#number)) batch.forEach(plan.note, plan)
    for (const batch of staging.missing(this.#number, gone)) batch.forEach(plan.note, plan)
    plan.index.finish()
    this.#putInPlace(plan, replace, options, at)
    return { ...plan.counts, position: state.position() }
  }

  /** Applies the staged rows after the index has been written. */
  #putInPlace(
    { growth, types, damaged }: Pick<ImportPlan<never>, 'growth' | 'types' | 'damaged'>,
    replaced: readonly string[],
    { values }: CommitOptions,
    at: Date,
  ): void {
    const { rows, log, state } = this.#parts
    this.#refuseEnded()
    const replace = this.#precedence.keep(replaced)
    const next = state.history().number + 1
    this.#precedence.note({ types: new Set([...types, ...replaced]), replaced: replace })
    for (const { type, id } of damaged) rows.blank(type, id)
    rows.putStaged(this.#number, timestampOf(at), next)
    log.forgetStaged(this.#number)
    for (const type of replace) {
      log.recordMissing(this.#number, type, next, at.getTime())
      rows.deleteMissing(this.#number, type)
    }
    endWrite(this.#parts, growth, values)
  }

  /** Returns the commit time as a date, and in milliseconds with the precision of entity timestamps. */
  #now(): readonly [at: Date, moment: number] {
    const at = this.#parts.now()
    return [at, Date.parse(timestampOf(at))]
  }

  #refuseStale(options: CommitOptions): void {
    const { state } = this.#parts
    refuseStale(options, state.types(), (key) => state.value(key))
  }

  async #dropPlan(): Promise<void> {
    const plan = this.#plan
    this.#plan = undefined
    this.#replaced = undefined
    await plan?.index.discard()
  }

  #refuseEnded(): void {
    if (this.#state !== 'open') throw new Error('This import has ended: it was committed or aborted.')
  }

  #end(state: 'aborted' | 'finished'): void {
    const { staging, maintainSoon } = this.#parts
    this.#state = state
    staging.end(this.#number)
    maintainSoon()
  }
}
