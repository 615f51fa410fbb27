/** The entities of an answer, walked as those of a snapshot are. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Entity } from '@worldwright/client/protocol'
import { StorageFault, type StoredEntity } from '../storage/contract.ts'
import type { ActionContext } from '../world/action.ts'
import { damagedFault } from '../world/errors.ts'
import { projected } from '../world/query/projection.ts'
import { answerPage, type QueryPage } from '../world/query/query-action.ts'
import type { Question } from '../world/query/read-input.ts'

/** Entities of one step: as many as keep a process from anything else for some milliseconds only. */
const STEP = 500

/** How often a step is asked for: the waits between take 25 seconds on average, together. */
const ATTEMPTS = 9

/** Whom a result is for, and what it is read from. */
export type ResultContext = Pick<ActionContext, 'world' | 'client'> & {
  readonly signal?: AbortSignal | undefined
}

/**
 * A result, which can be walked several times; each walk is as consistent as cursors are: see decisions 9. It ends with the
 * last entity or fails, and never before.
 */
export class ResultSnapshot {
  readonly #question: Question
  readonly #context: ResultContext
  /** Of the first walk: the attributes that there are. */
  #names: ReadonlySet<string> | undefined

  constructor(question: Question, context: ResultContext) {
    this.#question = question
    this.#context = context
  }

  /** @throws Error where the budget of a step was too small, or attributes appeared since the first walk */
  async *entities(): AsyncGenerator<StoredEntity> {
    const { fields } = this.#question
    const names = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await this.#page(cursor)
      if (page.partial) throw new Error('A step of a result needed more time than one may have.')
      if (page.damaged?.[0]) throw damagedFault(page.damaged[0])
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

  /** The next page. A step that is refused under load is asked for again, less and less often: the answer may have begun. */
  async #page(cursor: string | undefined): Promise<QueryPage> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await answerPage({ ...this.#question, limit: STEP, cursor }, this.#context)
      } catch (error) {
        if (attempt === ATTEMPTS || !isRefusal(error)) throw error
        await delay(Math.random() * 100 * 2 ** attempt, undefined, { signal: this.#context.signal })
      }
    }
  }

  /** Tables have their columns from a first walk: what comes after it must not be left out unsaid. */
  #notice({ attributes }: Entity, names: Set<string>): void {
    for (const name of Object.keys(attributes)) {
      if (this.#names?.has(name) === false) throw new Error('Attributes appeared while a result was read.')
      names.add(name)
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof StorageFault && (error.code === 'overloaded' || error.code === 'busy')
}
