import type { Entity } from '@worldwright/client/protocol'
import type {
  AddOptions,
  Bulk,
  CommitOptions,
  CommitResult,
  ImportStart,
  Position,
  Repeated,
  UnstagedCount,
} from '@worldwright/core/store'
import { abortable, prepare, refuseStale, timestampOf } from '@worldwright/core/store'
import type { Database } from './database.ts'
import { decided, mintWriteId } from './decided.ts'
import { noteFiles, noteImport } from './import-precedence.ts'
import {
  finishState,
  hold,
  lastPosition,
  note,
  positionAfter,
  statesOf,
  valuesLocks,
  valuesOf,
} from './rows.ts'
import type { Session } from './session.ts'
import { stage } from './stage.ts'
import * as staging from './staging.ts'

/** Number of entities staged per statement. */
const BATCH = 1_000
const HEARTBEAT_MS = 60_000

/** Time for which a commit whose connection was lost waits for a primary that knows its outcome, in milliseconds. */
const PATIENCE_MS = 30_000

/** Begins an import. Its `commit` awaits `committed` after the database has committed. @throws StoreFault */
export async function beginImport(
  database: Database,
  now: () => Date,
  { files }: ImportStart,
  committed: (position: Position) => Promise<void>,
): Promise<Bulk> {
  const number = await database.writing((session) => staging.begin(session))
  const running = new RunningImport(database, now, number, files)
  return abortable<Bulk>({
    add: (entities, options) => running.add(entities, options),
    unstaged: (types) => running.unstaged(types),
    async commit(options) {
      const result = await running.commit(options)
      if (!options?.dryRun) await committed(result.position)
      return result
    },
    abort: () => running.abort(),
  })
}

class RunningImport {
  readonly #database: Database
  readonly #now: () => Date
  readonly #number: number
  readonly #files: ImportStart['files']
  readonly #timer: NodeJS.Timeout
  #state: 'open' | 'aborted' | 'finished' = 'open'

  constructor(database: Database, now: () => Date, number: number, files: ImportStart['files']) {
    this.#database = database
    this.#now = now
    this.#number = number
    this.#files = files
    // A failed heartbeat is retried a minute later. After ten minutes without a heartbeat, another import may end this one.
    const beat = () => staging.heartbeat(database, number).catch(() => {})
    this.#timer = setInterval(beat, HEARTBEAT_MS).unref()
  }

  async add(
    entities: readonly Entity[],
    { signal, marks = [], keep = [] }: AddOptions = {},
  ): Promise<readonly Repeated[]> {
    this.#refuseEnded()
    if (keep.length > 0)
      await this.#database.writing((session) => staging.protect(session, this.#number, keep))
    const repeated: Repeated[] = []
    for (let start = 0; start < entities.length; start += BATCH) {
      signal?.throwIfAborted()
      const first = new Map<string, number>()
      const again: number[] = []
      for (const [at, { type, id }] of entities.slice(start, start + BATCH).entries()) {
        const key = `${type}\n${id}`
        if (first.has(key)) again.push(start + at)
        else first.set(key, start + at)
      }
      const indices = [...first.values()]
      const prepared = indices.map((index) => prepare(entities[index] as Entity))
      const isStaged = await stage(
        this.#database,
        this.#number,
        prepared,
        indices.map((index) => marks[index]),
      )
      for (const [at, index] of indices.entries()) if (!isStaged[at]) again.push(index)
      for (const index of again.sort((left, right) => left - right)) {
        const mark = await staging.markOf(this.#database, this.#number, entities[index] as Entity)
        repeated.push({ index, mark })
      }
    }
    return repeated
  }

  async unstaged(types: readonly string[]): Promise<ReadonlyMap<string, UnstagedCount>> {
    this.#refuseEnded()
    return this.#database.writing(async (session) => {
      await staging.heartbeat(session, this.#number)
      const gone = await staging.settle(session, this.#number, types, this.#files)
      return staging.unstaged(session, this.#number, types, new Set(gone))
    })
  }

  async #preview({ replace = [] }: CommitOptions): Promise<CommitResult> {
    return this.#database.writing(async (session) => {
      await staging.heartbeat(session, this.#number)
      const gone = await staging.settle(session, this.#number, [...new Set(replace)], this.#files)
      const { counts } = await staging.compare(session, this.#number, gone)
      return { ...counts, position: await lastPosition(session) }
    })
  }

  async commit(options: CommitOptions = {}): Promise<CommitResult> {
    this.#refuseEnded()
    if (options.dryRun) return this.#preview(options)
    const id = mintWriteId()
    let answer: CommitResult | undefined
    const result = await decided(this.#database, id, {
      run: () =>
        this.#database.writing(async (session) => {
          answer = await this.#putInPlace(session, options, id)
          return answer
        }),
      answer: () => answer,
      patienceMs: PATIENCE_MS,
    })
    await this.#end('finished')
    return result
  }

  async abort(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'aborted'
    // If the database cannot be reached, the import ends there without heartbeats.
    clearInterval(this.#timer)
    await this.#database.writing((session) => staging.abandon(session, this.#number))
    await this.#end('aborted')
  }

  async #putInPlace(session: Session, options: CommitOptions, id: string): Promise<CommitResult> {
    const { values = {}, ifValues = {}, ifVersions = new Map() } = options
    const replace = [...new Set(options.replace)].sort()
    const types = new Set([...(await staging.stagedTypes(session, this.#number)), ...replace])
    const names = [...new Set([...Object.keys(values), ...Object.keys(ifValues)])]
    const [held, before] = await hold(
      session,
      [...types, ...ifVersions.keys()],
      valuesLocks(values, ifValues),
      () => valuesOf(session, names),
    )
    refuseStale(options, statesOf(held), (name) => before.get(name))

    const gone = await staging.settle(session, this.#number, replace, this.#files)
    const { counts, growth } = await staging.compare(session, this.#number, gone)
    await staging.finish(session, this.#number)
    const noted = { number: this.#number, types, gone }
    if (this.#files) await noteFiles(session, held, noted, this.#files)
    else await noteImport(session, held, noted)
    const at = this.#now()
    const moment = { timestamp: timestampOf(at), at: at.getTime() }
    await staging.place(session, { number: this.#number, position: held.number, ...moment, gone })
    note(session, id)
    finishState(session, { held, growth, values, before })
    return { ...counts, position: await positionAfter(session, held, growth.size > 0) }
  }

  #refuseEnded(): void {
    if (this.#state !== 'open') throw new Error('This import has ended: it was committed or aborted.')
  }

  /** Removes the staged rows. If that fails, the next import to end removes them. */
  async #end(state: 'aborted' | 'finished'): Promise<void> {
    this.#state = state
    clearInterval(this.#timer)
    await this.#database.writing((session) => staging.removeFinished(session)).catch(() => {})
  }
}
