/** Runs bulk writers that keep writing through all failures of their nodes and record the outcome of each write. */
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@worldwright/engines'
import type { Nodes } from './nodes.ts'

/** Types of the written entities. Writes of different types are concurrent, so that they end out of order. */
export const TYPES = ['chaos:a', 'chaos:b', 'chaos:c', 'chaos:d']

const WRITERS = 6
/** Retry delay after a refusal, in milliseconds. */
const AGAIN_MS = 10
const TIMEOUT_MS = 120_000

/** A bulk write and its last line. */
export interface BulkAttempt {
  /** Type and id of each entity. */
  readonly keys: readonly string[]
  /** As in the last line; undefined if there was none. */
  readonly committed: boolean | null | undefined
  /** Id by which to ask for the outcome. */
  readonly write: string | undefined
}

/** Creates the types in the database of a store with this URL. */
export async function createTypes(url: string): Promise<void> {
  const store = await openStore(`${url}?cache=none`, { role: 'writer' })
  await store.write(TYPES.map((type) => ({ put: { type, id: 'first', attributes: {} } })))
  await store.close()
}

/** Writes new entities of random types, at random nodes, until stopped. No id is ever written twice. */
export class BulkWriters {
  readonly attempts: BulkAttempt[] = []
  readonly #running: Promise<unknown>
  #isOver = false
  #next = 0

  /** Each write has up to `rows` entities. */
  constructor(nodes: Nodes, rows: number) {
    this.#running = Promise.all(Array.from({ length: WRITERS }, () => this.#run(nodes, rows)))
  }

  /** Keys of the entities whose write was acknowledged. */
  get acknowledged(): readonly string[] {
    return this.attempts.filter(({ committed }) => committed === true).flatMap(({ keys }) => keys)
  }

  /** Starts no more writes and waits for those in flight. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async #run({ urls, token }: Nodes, rows: number): Promise<void> {
    while (!this.#isOver) {
      const type = TYPES[Math.floor(Math.random() * TYPES.length)] ?? ''
      const url = urls[Math.floor(Math.random() * urls.length)] ?? ''
      const ids = Array.from({ length: Math.ceil(Math.random() * rows) }, () => `t${this.#next++}`)
      const last = await lastLine(url, token, type, ids)
      const keys = ids.map((id) => `${type} ${id}`)
      this.attempts.push({ keys, committed: last?.committed, write: last?.details?.write })
      if (last?.committed !== true) await pause(AGAIN_MS)
    }
  }
}

interface LastLine {
  readonly committed?: boolean | null
  readonly details?: { readonly write?: string }
}

/** Performs a bulk write. Returns the last line of the answer, or undefined if it was cut off. */
async function lastLine(
  url: string,
  token: string,
  type: string,
  ids: readonly string[],
): Promise<LastLine | undefined> {
  try {
    const response = await fetch(`${url}/api/operator/v0/entities/${encodeURIComponent(type)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: ids.map((id) => `${JSON.stringify({ id, attributes: {} })}\n`).join(''),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const last = JSON.parse((await response.text()).trimEnd().split('\n').at(-1) ?? '')
    // A refusal before any row, such as that of a node that sheds load, is an outcome too.
    return response.ok ? last : { committed: false }
  } catch {
    return undefined
  }
}
