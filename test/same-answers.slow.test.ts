/**
 * Sends the same random requests to a world in SQLite, to the same world in PostgreSQL, with and without a local replica,
 * and to a replica that follows it. `SAME_ANSWERS=100000` sets the number of requests. The default is 1,000.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createWorld, toFetch } from '@worldwright/core'
import { isReached, positionNow, type Store } from '@worldwright/core/store'
import { createValidator } from '@worldwright/entities/schemas'
import { createTypeCheck } from '@worldwright/entities/types'
import { changes } from '@worldwright/extensions/changes'
import { createToken, operator } from '@worldwright/extensions/operator'
import { query } from '@worldwright/extensions/query'
import { followWorld } from '@worldwright/extensions/replica'
import { dice } from '../packages/core/src/store/suite-data.ts'
import { openDirect } from '../packages/postgres/src/direct.ts'
import { openNode } from '../packages/postgres/src/node.ts'
import { NO_POSTGRES, startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { openSqliteStore } from '../packages/sqlite/src/open.ts'

const OPERATIONS = Number(process.env['SAME_ANSWERS'] ?? 1_000)
const ORIGIN = 'https://same.example'
const TYPES = ['a:one', 'b:two', 'c:three']
const WORDS = ['red', 'moon', 'Ärmel', 'ice', 'ocean', '木星', 'probe', 'ring', 'storm', 'dust']
const SCHEMA = {
  type: 'object',
  properties: { size: { type: 'integer' }, note: { type: 'string' }, near: { type: 'string' } },
}
/** Number of writes in a round, and of the reads that follow them. */
const ROUND = 20
/**
 * Matches an offset, which identifies a history and a write in it. Only offsets may differ between SQLite and PostgreSQL,
 * also as parts of the entity tags of lists. Where one engine repeats an offset, the other must repeat one as well.
 */
const POSITION = /[0-9a-f]{18}-\d+(?:\.\d+)*|(?<=\\"offset\\":\\")[\w-]+/g
/** Matches the length of an answer, which depends on the digits of an offset in it. */
const LENGTH = /\["content-length","\d+"\],(?=.*\\"offset\\":)/

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A world that is called directly, without a port. */
class Asked {
  readonly fetch: ReturnType<typeof toFetch>
  readonly #token: string
  readonly #positions = new Map<string, string>()

  private constructor(fetch: ReturnType<typeof toFetch>, token: string) {
    this.fetch = fetch
    this.#token = token
  }

  static async over(store: Store, now: () => Date): Promise<Asked> {
    const types = TYPES.map((type) => ({ type, schema: SCHEMA }))
    const world = { id: 'urn:example:same', types }
    const handler = createWorld({
      ...world,
      store,
      publicUrl: ORIGIN,
      extensions: [query(), operator({ check: createTypeCheck(types, createValidator), now }), changes()],
    })
    const { token } = await createToken(store, { scopes: ['write'] })
    return new Asked(toFetch(handler), token)
  }

  async send(sent: Sent): Promise<string> {
    for (;;) {
      const answer = await this.#sent(sent)
      // The machine was too busy to complete the search within its time limit, so retry.
      if (!/\\"partial\\":true/.test(answer)) return answer
    }
  }

  async #sent({ method, path, headers = {}, body }: Sent): Promise<string> {
    const answer = await this.fetch(ORIGIN + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'request-id': 'one', ...headers },
      ...(body !== undefined && { body }),
    })
    return JSON.stringify([answer.status, [...answer.headers].sort(), await answer.text()])
  }

  /** Replaces each offset in an answer by a number. Offsets are numbered in the order in which they first appear. */
  numbered(answer: string): string {
    return answer.replace(LENGTH, '').replaceAll(POSITION, (position) => {
      const known = this.#positions.get(position) ?? `#${this.#positions.size}`
      this.#positions.set(position, known)
      return known
    })
  }
}

const path = (kind: string, ...parts: readonly string[]) =>
  `/api/${kind}/v0/${parts.map(encodeURIComponent).join('/')}`
const json = { 'content-type': 'application/json' }

/** Generates random requests. Some of them use values from earlier answers, such as entity tags and cursors. */
class Requests {
  readonly #roll = dice(20_261_123)
  #tag = '"none"'
  #cursor: string | undefined

  /** Records values in an answer for use in later requests. */
  note(answer: string): void {
    const [, headers, text] = JSON.parse(answer) as [number, [string, string][], string]
    const tag = headers.find(([name]) => name === 'etag')?.[1]
    if (tag?.startsWith('"')) this.#tag = tag
    this.#cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1] ?? this.#cursor
  }

  write(): Sent {
    const [type, id] = [this.#type(), `e${this.#roll(60)}`]
    const one = path('operator', 'entities', type, id)
    const conditions = [{}, {}, {}, { 'if-none-match': '*' }, { 'if-match': '*' }, { 'if-match': this.#tag }]
    const headers = { ...json, ...conditions[this.#roll(conditions.length)] }
    const kind = this.#roll(10)
    if (kind < 5) return { method: 'PUT', path: one, headers, body: JSON.stringify(this.#entity()) }
    if (kind < 7) return { method: 'DELETE', path: one, headers }
    if (kind < 9) {
      const body = JSON.stringify({ attributes: { size: this.#roll(2) ? this.#roll(50) : 'wrong' } })
      return {
        method: 'PATCH',
        path: one,
        headers: { ...headers, 'content-type': 'application/merge-patch+json' },
        body,
      }
    }
    const rows = Array.from({ length: this.#roll(12) }, () => ({
      ...this.#entity(),
      id: `e${this.#roll(60)}`,
    }))
    const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    const many = path('operator', 'entities', type) + (this.#roll(3) === 0 ? '?replace=true' : '')
    return { method: 'POST', path: many, headers: { 'content-type': 'application/x-ndjson' }, body }
  }

  read(): Sent {
    const type = this.#type()
    const kind = this.#roll(6)
    if (kind === 0) return { method: 'GET', path: path('world', 'entities', type, `e${this.#roll(60)}`) }
    if (kind < 3) {
      const cursor = this.#cursor !== undefined && this.#roll(2) ? `&cursor=${this.#cursor}` : ''
      return {
        method: 'GET',
        path: `${path('world', 'entities', type)}?limit=${1 + this.#roll(20)}${cursor}`,
      }
    }
    const text = Array.from({ length: 1 + this.#roll(2) }, () => this.#word()).join(' ')
    const limit = 1 + this.#roll(10)
    const where = { op: ['<', '>', '='][this.#roll(3)], args: [{ property: 'size' }, this.#roll(50)] }
    const query = {
      types: [type],
      where,
      sort: [{ property: 'size' }],
      facets: [{ property: 'near' }],
      limit,
    }
    const [action, input] = kind < 5 ? ['wp:discover', { text, limit }] : ['worldwright:query', query]
    return {
      method: 'POST',
      path: path('world', 'actions', action),
      headers: json,
      body: JSON.stringify({ input }),
    }
  }

  #entity() {
    const note = `${this.#word()} ${this.#word()}`
    return { title: this.#word(), attributes: { size: this.#roll(50), note, near: this.#word() } }
  }

  #type(): string {
    return TYPES[this.#roll(TYPES.length)] ?? ''
  }

  #word(): string {
    return WORDS[this.#roll(WORDS.length)] ?? ''
  }
}

/** Makes `replica` follow a world until the test ends. Returns a function that waits until `replica` has caught up. */
function following(t: TestContext, upstream: Asked, from: Store, replica: Store): () => Promise<void> {
  const ending = new AbortController()
  const events = followWorld({
    origin: ORIGIN,
    store: replica,
    fetch: upstream.fetch,
    signal: ending.signal,
    pollMs: 2,
  })
  const ended = (async () => {
    for await (const _ of events);
  })()
  t.after(async () => {
    ending.abort()
    await ended
  })
  return async () => {
    const position = await positionNow(from)
    while ((await isReached(replica, position)) !== true) await pause(1)
  }
}

test('SQLite, PostgreSQL and a replica give the same answers, except for offsets', async (t) => {
  const server = await startPostgres()
  if (server === undefined) return t.skip(NO_POSTGRES)
  const folder = await mkdtemp(join(tmpdir(), 'same-'))
  let time = Date.parse('2026-03-01T09:00:00Z')
  const now = () => new Date(time)
  const sqlite = openSqliteStore(join(folder, 'sqlite.db'), { now })
  const node = await openNode(server.url, {
    replica: openSqliteStore(join(folder, 'node.db')),
    now,
    appliedMs: 60_000,
  })
  const replica = openSqliteStore(join(folder, 'copy.db'), { now })
  t.after(async () => {
    for (const store of [replica, node, sqlite]) await store.close()
    await server.end()
    await rm(folder, { recursive: true })
  })
  const [one, two] = [await Asked.over(sqlite, now), await Asked.over(node, now)]
  const three = await Asked.over(replica, now)
  const database = await openDirect(server.url, { now })
  t.after(() => database.close())
  const direct = await Asked.over(database, now)
  const caughtUp = following(t, two, node, replica)
  const requests = new Requests()
  const statuses = new Map<string, number>()
  for (let count = 0; count < OPERATIONS; count += 2 * ROUND) {
    for (let at = 0; at < ROUND; at++) {
      time += 1_000
      const sent = requests.write()
      const [expected, answer] = [await one.send(sent), await two.send(sent)]
      assert.equal(two.numbered(answer), one.numbered(expected), JSON.stringify(sent))
      requests.note(expected)
      const kind = `${sent.method} ${JSON.parse(expected)[0]}`
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
    }
    await caughtUp()
    for (let at = 0; at < ROUND; at++) {
      const sent = requests.read()
      const [expected, answer, copied] = [await one.send(sent), await two.send(sent), await three.send(sent)]
      assert.equal(two.numbered(answer), one.numbered(expected), JSON.stringify(sent))
      assert.equal(copied, answer, JSON.stringify(sent))
      const asked = await direct.send(sent)
      // A replica without an index answers a query for all entities, and refuses queries that need an index.
      if (JSON.parse(asked)[0] === 501) assert.match(sent.body ?? '', /"(?:text|where|sort|facets|similar)":/)
      else assert.equal(asked, answer, JSON.stringify(sent))
      requests.note(expected)
      const kind = `${sent.method} ${JSON.parse(expected)[0]}`
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
    }
  }
  t.diagnostic(JSON.stringify(Object.fromEntries([...statuses].sort())))
  // Among the requests of every kind, some must have succeeded and some must have failed.
  for (const kind of [
    'PUT 200',
    'PUT 201',
    'PUT 412',
    'DELETE 204',
    'DELETE 404',
    'PATCH 200',
    'PATCH 422',
    'POST 200',
    'GET 200',
    'GET 404',
  ])
    assert.ok(statuses.has(kind), kind)
})
