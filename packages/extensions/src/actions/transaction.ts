/** Transactions of actions: the reads and writes of one call, applied together or not at all. */
import type { Entity, JsonObject } from '@worldwright/client/protocol'
import type { ActionContext } from '@worldwright/core'
import { entityNotFound, unavailable, WorldFault } from '@worldwright/core'
import {
  type CallOptions,
  type Operation,
  type Precondition,
  preconditionHolds,
  revisionOf,
  type ValuesChange,
} from '@worldwright/core/store'
import { preconditionFailed } from './precondition-failed.ts'
import { entityAt } from './world-reader.ts'

/** Entity members provided by the handler. The store sets the rest. */
export interface EntityContent {
  readonly title?: string
  readonly summary?: string
  readonly attributes: JsonObject
}

/** Precondition on the entity to write. */
export interface WrittenOnlyIf {
  /** Writes only if the entity is still at this revision. */
  readonly ifRevision?: string | undefined
  /** Writes only if the entity does not exist yet. */
  readonly ifAbsent?: true
}

/**
 * Reads and writes by key. Writes are validated against the schemas of their types when they are made, and applied together
 * at the end; until then only `get` shows them. They throw WorldFault `invalid_type`, `unknown_type`, `invalid_id`,
 * `invalid_entity`, `precondition_failed`, and `forbidden` if the world accepts no writes.
 */
export interface TransactionEntities {
  /** Returns an entity, as written here or as first read, or undefined if there is none. */
  get(type: string, id: string): Promise<Entity | undefined>
  /** Creates or replaces an entity. Returns it as it will be stored, without `createdAt` and `updatedAt`. */
  put(type: string, id: string, content: EntityContent, onlyIf?: WrittenOnlyIf): Promise<Entity>
  /** Deletes an entity. Throws `entity_not_found` if there is none. */
  delete(type: string, id: string, onlyIf?: WrittenOnlyIf): Promise<void>
}

/** Context of a transaction: the world, its write access, and a signal that cancels reads and writes. */
export type TransactionContext = Pick<ActionContext, 'world' | 'writes' | 'isPreview'> & CallOptions

/** Maximum number of runs of a handler, if other writes keep changing entities that it read. */
const MAX_ATTEMPTS = 30

/** `Retry-After` of a call that conflicted with other writes in every run, in seconds. */
const RETRY_AFTER_SECONDS = 1

/**
 * Runs a handler and applies its writes in one write of the store, on the condition that the entities that it read by key
 * are unchanged. If they changed, runs the handler again. `valuesOf` returns named values to store with the writes.
 * A preview writes nothing.
 * @throws WorldFault `unavailable` after 30 attempts
 */
export async function transact<T>(
  asked: TransactionContext,
  run: (entities: TransactionEntities) => Promise<T>,
  valuesOf: (result: T) => ValuesChange = () => ({}),
): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const transaction = new Transaction(asked)
    const result = await run(transaction.entities)
    transaction.end()
    if (asked.isPreview || (await transaction.commit(valuesOf(result)))) return result
    // A random delay makes contenders conflict with each other less often.
    await new Promise((resume) => setTimeout(resume, Math.random() * attempt))
  }
  throw unavailable('Other writes came before this one each time. Try again later.', RETRY_AFTER_SECONDS)
}

/**
 * Reads by key and staged writes of one run of a handler. Objects are copied in both directions, because the handler may
 * modify them.
 */
class Transaction {
  readonly #asked: TransactionContext
  readonly #read = new Map<string, Entity | undefined>()
  readonly #staged = new Map<string, Operation>()
  /** Number of reads and writes in progress. */
  #running = 0
  #isOver = false

  constructor(asked: TransactionContext) {
    this.#asked = asked
  }

  /** The reads and writes of the handler. They do not use `this`. */
  readonly entities: TransactionEntities = {
    get: (type, id) => this.#run(() => this.#get(type, id)),
    put: (...write) => this.#run(() => this.#put(...write)),
    delete: (...write) => this.#run(() => this.#delete(...write)),
  }

  async #run<T>(operation: () => Promise<T>): Promise<T> {
    this.#running++
    try {
      return await operation()
    } finally {
      this.#running--
    }
  }

  /** Ends the run. Throws an error if a read or a write is in progress, because writes after it would be lost. */
  end(): void {
    this.#isOver = true
    if (this.#running > 0) throw new Error('The handler returned too early. Await each read and each write.')
  }

  async #get(type: string, id: string): Promise<Entity | undefined> {
    const key = keyOf(type, id)
    const staged = this.#staged.get(key)
    if (staged) return 'put' in staged ? structuredClone(staged.put) : undefined
    if (!this.#read.has(key)) {
      const entity = await entityAt(this.#asked, type, id)
      // A concurrent read of the same entity may have finished first.
      if (!this.#read.has(key)) this.#read.set(key, entity)
    }
    return structuredClone(this.#read.get(key))
  }

  async #put(type: string, id: string, content: EntityContent, onlyIf?: WrittenOnlyIf): Promise<Entity> {
    const { title, summary, attributes } = content
    const given = structuredClone({
      ...(title !== undefined && { title }),
      ...(summary !== undefined && { summary }),
      attributes,
    })
    const valid = await this.#writes.validEntity(type, id, given)
    await this.#require(type, id, onlyIf)
    const put = { ...valid, revision: revisionOf(valid) }
    this.#stage(type, id, { put })
    return structuredClone(put)
  }

  async #delete(type: string, id: string, onlyIf?: WrittenOnlyIf): Promise<void> {
    if ((await this.#get(type, id)) === undefined) throw entityNotFound(type, id)
    await this.#require(type, id, onlyIf)
    this.#stage(type, id, { delete: { type, id: id.normalize('NFC') } })
  }

  /** Applies the staged writes and values. Returns false if an entity that was read has changed. */
  async commit({ values, ifValues }: ValuesChange): Promise<boolean> {
    if (this.#staged.size === 0 && values === undefined) return true
    const { signal } = this.#asked
    const result = await this.#writes.store.write(this.#operations(), { values, ifValues, signal })
    if (!result.done && 'failedValue' in result)
      throw new WorldFault('action_timeout', 'The call took so long that another took its place.')
    return result.done
  }

  /** Returns the staged writes, and a condition for every read. Entities that were only read get a write without effect. */
  #operations(): Operation[] {
    if (this.#staged.size === 0) return []
    const operations: Operation[] = []
    const staged = new Map(this.#staged)
    for (const [key, entity] of this.#read) {
      const [type = '', id = ''] = JSON.parse(key)
      const precondition: Precondition =
        entity?.revision === undefined ? { ifAbsent: true } : { ifRevision: [entity.revision] }
      const operation = staged.get(key) ?? (entity ? { put: entity } : { delete: { type, id } })
      operations.push({ ...operation, precondition })
      staged.delete(key)
    }
    return [...operations, ...staged.values()]
  }

  get #writes() {
    const { writes } = this.#asked
    if (writes) return writes
    throw new WorldFault('forbidden', 'Actions cannot write to this world.')
  }

  async #require(type: string, id: string, { ifRevision, ifAbsent }: WrittenOnlyIf = {}): Promise<void> {
    if (ifRevision === undefined && !ifAbsent) return
    const precondition: Precondition = {
      ...(ifRevision !== undefined && { ifRevision: [ifRevision] }),
      ...(ifAbsent && { ifAbsent }),
    }
    const { revision } = (await this.#get(type, id)) ?? {}
    const current = revision === undefined ? undefined : { revision }
    if (!preconditionHolds(precondition, current)) throw preconditionFailed(precondition, current)
  }

  #stage(type: string, id: string, operation: Operation): void {
    if (this.#isOver) throw new Error('The handler has returned, and wants to write. Await each write.')
    this.#staged.set(keyOf(type, id), operation)
  }
}

function keyOf(type: string, id: string): string {
  return JSON.stringify([type, id.normalize('NFC')])
}
