/** The entities of a result, walked like those of a snapshot. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import type { ActionContext } from '@worldwright/core'
import { damagedFault, SEARCH_BUDGET_MS, WorldFault } from '@worldwright/core'
import { StorageFault, type StoredEntity } from '@worldwright/core/store'
import { projected } from '../query/projection.ts'
import { answerPage, type QueryPage } from '../query/query-action.ts'
import type { Question } from '../query/read-input.ts'

/** Entities per step: few enough to block the process for some milliseconds only. */
const STEP = 500

/** Maximum attempts per step: the waits between them add up to 25 seconds on average. */
const ATTEMPTS = 9

/** The client of a result, and the world that it is read from. */
export type ResultContext = Pick<ActionContext, 'world' | 'client'> & {
  readonly signal?: AbortSignal | undefined
}

/**
 * A result, which can be walked several times; each walk is as consistent as cursors are: see decisions 9. It ends with the
 * last entity or fails, never earlier.
 */
export class ResultSnapshot {
  readonly #question: Question
  readonly #context: ResultContext
  /** The page that `begin` read, for the next walk. */
  #first: QueryPage | undefined
  /** Attribute names seen in the first walk. */
  #names: ReadonlySet<string> | undefined

  constructor(question: Question, context: ResultContext) {
    this.#question = question
    this.#context = context
  }

  /**
   * Reads the first page, once and without retries: nothing has been sent yet, so the client can still get an error.
   * @throws WorldFault `damaged`, `action_timeout`; StorageFault
   */
  async begin(): Promise<void> {
    this.#first = whole(await this.#ask(undefined))
  }

  /** @throws WorldFault `action_timeout` if a step exceeds its budget; Error if attributes appeared since the first walk */
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

  /** Returns the page that `begin` read, once: later walks read it again. */
  #taken(): QueryPage | undefined {
    const first = this.#first
    this.#first = undefined
    return first
  }

  #ask(cursor: string | undefined): Promise<QueryPage> {
    return answerPage({ ...this.#question, limit: STEP, cursor }, this.#context)
  }

  /** Returns the next page. Retries a step that is refused under load, with backoff: the response may have begun. */
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

  /** The columns of a table come from a first walk, so an attribute that appears later must not be dropped silently. */
  #notice({ attributes }: Entity, names: Set<string>): void {
    for (const name of Object.keys(attributes)) {
      if (this.#names?.has(name) === false) throw new Error('Attributes appeared while a result was read.')
      names.add(name)
    }
  }
}

/** Returns the page if it is complete. @throws WorldFault `damaged`, `action_timeout` */
function whole(page: QueryPage): QueryPage {
  if (page.partial)
    throw new WorldFault('action_timeout', 'A step of this result takes too long. Ask for less.', {
      seconds: SEARCH_BUDGET_MS / 1_000,
    })
  if (page.damaged?.[0]) throw damagedFault(page.damaged[0])
  return page
}

function isRefusal(error: unknown): boolean {
  return error instanceof StorageFault && (error.code === 'overloaded' || error.code === 'busy')
}
