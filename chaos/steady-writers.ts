/** Runs writers at a steady rate through all failures of a world, and records their writes. */
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '@worldwright/client'
import { TYPE } from './served-world.ts'

const WRITERS = 16
/** Number of entities per writer. Only that writer writes them, one write at a time. */
const ENTITIES = 25

/** Attempted put or deletion. The numbers of an entity's attempts ascend. */
interface Attempt {
  readonly number: number
  readonly isDeletion: boolean
  /** Time of the acknowledgement from `performance.now()`, or undefined if the write was not acknowledged. */
  acknowledgedAt?: number
}

/** Runs the writers until they are stopped. */
export class SteadyWriters {
  /** Number of acknowledged writes. */
  acknowledged = 0
  readonly #url: () => string
  readonly #token: string
  readonly #attempts = new Map<string, Attempt[]>()
  readonly #running: Promise<void>[]
  #isOver = false

  constructor(url: () => string, token: string, perSecond: number) {
    this.#url = url
    this.#token = token
    this.#running = Array.from({ length: WRITERS }, (_, writer) =>
      this.#write(writer, (WRITERS * 1_000) / perSecond),
    )
  }

  /** Starts no more writes and waits for those in flight. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  /** Returns the attempt with this number on an entity, or undefined if there was none. */
  attempt(id: string, number: number): Attempt | undefined {
    return this.#attempts.get(id)?.[number]
  }

  /** Returns the revisions of all entities that the world lists, by id. */
  async state(): Promise<Map<string, string>> {
    const world = await connect(this.#url())
    const state = new Map<string, string>()
    for await (const { id, revision } of world.entities(TYPE, { pageSize: 1_000 }))
      state.set(id, String(revision))
    return state
  }

  async #write(writer: number, everyMs: number): Promise<void> {
    for (let due = performance.now() + Math.random() * everyMs; !this.#isOver; due += everyMs) {
      await pause(Math.max(0, due - performance.now()))
      const id = `thing-${writer}-${Math.floor(Math.random() * ENTITIES)}`
      const attempts = this.#attempts.get(id) ?? []
      const attempt: Attempt = { number: attempts.length, isDeletion: Math.random() < 0.1 }
      this.#attempts.set(id, attempts)
      attempts.push(attempt)
      if (!(await this.#send(id, attempt))) continue
      attempt.acknowledgedAt = performance.now()
      this.acknowledged += 1
    }
  }

  async #send(id: string, { number, isDeletion }: Attempt): Promise<boolean> {
    try {
      const path = `/api/operator/v0/entities/${encodeURIComponent(TYPE)}/${id}`
      const response = await fetch(this.#url() + path, {
        method: isDeletion ? 'DELETE' : 'PUT',
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        ...(!isDeletion && { body: JSON.stringify({ title: `${number}`, attributes: {} }) }),
        signal: AbortSignal.timeout(10_000),
      })
      await response.arrayBuffer()
      return response.ok
    } catch {
      return false
    }
  }
}
