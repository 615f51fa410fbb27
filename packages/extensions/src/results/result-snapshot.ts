/** Entities of a query result, iterated like those of a snapshot. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import { type ActionContext, damagedFault, SEARCH_BUDGET_MS, WorldFault } from '@worldwright/core'
import { type StoredEntity, StoreFault } from '@worldwright/core/store'
import { projected } from '../query/projection.ts'
import { answerPage, type QueryPage } from '../query/query-action.ts'
import type { Question } from '../query/read-input.ts'

/** Number of entities per step. A step blocks the process for only a few milliseconds. */
const STEP = 500

/** Maximum attempts per step. The delays between them average 25 seconds in total. */
const ATTEMPTS = 9

/** Client that requested a result, and the world to read. */
export type ResultContext = Pick<ActionContext, 'world' | 'client'> & {
  readonly signal?: AbortSignal | undefined
}

/**
 * Query result that can be walked several times. A walk either yields every entity or fails. It is as consistent as a walk
 * with cursors (decisions 9).
 */
export class ResultSnapshot {
  readonly #question: Question
  readonly #context: ResultContext
  /** First page, read in advance by `begin` for the next walk. */
  #first: QueryPage | undefined
  /** Attribute names seen in the first walk. */
  #names: ReadonlySet<string> | undefined

  constructor(question: Question, context: ResultContext) {
    this.#question = question
    this.#context = context
  }

  /**
   * Reads the first page. It is not retried, because nothing has been sent yet and the client can still receive an error.
   * @throws WorldFault `damaged`, `action_timeout`; StoreFault
   */
  async begin(): Promise<void> {
    this.#first = whole(await this.#ask(undefined))
  }

  /** Yields the entities. @throws WorldFault as `begin`; Error if a later walk finds new attributes */
  async *entities(): AsyncGenerator<StoredEntity> {
    const { fields } = this.#question
    const names = new Set<string>()
    let cursor: string | undefined
    do {
      const page = this.#taken() ?? whole(await this.#page(cursor))
      for (const stored of page.hits) {
        const entity: Entity = JSON.parse(stored.json)
        const shown = fields === undefined ? entity : projected(entity, fields)
        this.#notice(shown, names)
        yield fields === undefined ? stored : { ...stored, json: JSON.stringify(shown) }
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
    this.#names ??= names
  }

  close(): void {}

  /** Returns the page read by `begin`, but only once. Later walks read the first page again. */
  #taken(): QueryPage | undefined {
    const first = this.#first
    this.#first = undefined
    return first
  }

  #ask(cursor: string | undefined): Promise<QueryPage> {
    return answerPage({ ...this.#question, limit: STEP, cursor }, this.#context)
  }

  /** Returns the next page. The response may have begun, so a step refused under load is retried with backoff. */
  async #page(cursor: string | undefined): Promise<QueryPage> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#ask(cursor)
      } catch (error) {
        if (attempt === ATTEMPTS || !isRefusal(error)) throw error
        await delay(Math.random() * 100 * 2 ** attempt, undefined, { signal: this.#context.signal })
      }
    }
  }

  /** Fails if a later walk finds new attributes. Table columns come from the first walk, so their values would be lost. */
  #notice({ attributes }: Entity, names: Set<string>): void {
    for (const name of Object.keys(attributes)) {
      if (this.#names?.has(name) === false) throw new Error('Attributes appeared while a result was read.')
      names.add(name)
    }
  }
}

/** Requires a page to be complete. @throws WorldFault `damaged`, `action_timeout` */
export function whole(page: QueryPage): QueryPage {
  if (page.partial)
    throw new WorldFault('action_timeout', 'A step of this result takes too long. Ask for less.', {
      seconds: SEARCH_BUDGET_MS / 1_000,
    })
  if (page.damaged?.[0]) throw damagedFault(page.damaged[0])
  return page
}

function isRefusal(error: unknown): boolean {
  return error instanceof StoreFault && (error.code === 'overloaded' || error.code === 'busy')
}
