/**
 * Random requests to a world in SQLite, to the same world in PostgreSQL, through a node with a local copy and one without, and
 * to a replica that follows it. `SAME_ANSWERS=100000` sends that many; the default is small enough for every run.
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
import { startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { openSqliteStore } from '../packages/sqlite/src/open.ts'

const OPERATIONS = Number(process.env['SAME_ANSWERS'] ?? 1_000)
const ORIGIN = 'https://same.example'
const TYPES = ['a:one', 'b:two', 'c:three']
const WORDS = ['red', 'moon', 'Ärmel', 'ice', 'ocean', '木星', 'probe', 'ring', 'storm', 'dust']
const SCHEMA = {
  type: 'object',
  properties: { size: { type: 'integer' }, note: { type: 'string' }, near: { type: 'string' } },
}
/** Number of writing requests per round, and of reading requests after them. */
const ROUND = 20
/**
 * The only permitted difference between SQLite and PostgreSQL: an offset, which names a history and a write in it. It is also
 * part of the entity tags of lists. The first offset of one engine must appear wherever the other gives its first, and so on.
 */
const POSITION = /[0-9a-f]{18}-\d+(?:\.\d+)*/g

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A world that is used without a port. */
class Asked {
  readonly fetch: ReturnType<typeof toFetch>
  readonly #token: string
  readonly #positions = new Map<string, string>()

  private constructor(fetch: ReturnType<typeof toFetch>, token: string) {
    this.fetch = fetch
    this.#token = token
  }

  static async over(storage: Store, now: () => Date): Promise<Asked> {
    const types = TYPES.map((type) => ({ type, schema: SCHEMA }))
    const world = { id: 'urn:example:same', types }
    const handler = createWorld({
      ...world,
      store: storage,
      publicUrl: ORIGIN,
      extensions: [query(), operator({ check: createTypeCheck(types, createValidator), now }), changes()],
    })
    const { token } = await createToken(storage, { scopes: ['write'] })
    return new Asked(toFetch(handler), token)
  }

  async send(sent: Sent): Promise<string> {
    for (;;) {
      const answer = await this.#sent(sent)
      // The machine was too busy for the time limit of the search.
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

  /** Returns an answer with its offsets replaced by numbers, in the order of their first appearance. */
  numbered(answer: string): string {
    return answer.replaceAll(POSITION, (position) => {
      const known = this.#positions.get(position) ?? `#${this.#positions.size}`
      this.#positions.set(position, known)
      return known
    })
  }
}

const path = (kind: string, ...parts: readonly string[]) =>
  `/api/${kind}/v0/${parts.map(encodeURIComponent).join('/')}`
const json = { 'content-type': 'application/json' }

/** Random requests; later ones reuse values seen in answers, such as tags and cursors. */
class Requests {
  readonly #roll = dice(20_261_123)
  #tag = '"none"'
  #cursor: string | undefined

  /** Records values that later requests may send back. */
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

/** Follows a world into a store until the test ends. Returns a function that waits until the store has caught up. */
function following(t: TestContext, upstream: Asked, from: Store, copy: Store): () => Promise<void> {
  const ending = new AbortController()
  const events = followWorld({
    origin: ORIGIN,
    storage: copy,
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
    while ((await isReached(copy, position)) !== true) await pause(1)
  }
}

test('SQLite, PostgreSQL and a replica give identical answers, byte for byte, except for offsets', async (t) => {
  const server = await startPostgres()
  if (server === undefined) return t.skip('not run: this machine has no PostgreSQL')
  const folder = await mkdtemp(join(tmpdir(), 'same-'))
  let time = Date.parse('2026-03-01T09:00:00Z')
  const now = () => new Date(time)
  const sqlite = openSqliteStore(join(folder, 'sqlite.db'), { now })
  const node = await openNode(server.url, {
    copy: openSqliteStore(join(folder, 'node.db')),
    now,
    appliedMs: 60_000,
  })
  const copy = openSqliteStore(join(folder, 'copy.db'), { now })
  t.after(async () => {
    for (const storage of [copy, node, sqlite]) await storage.close()
    await server.end()
    await rm(folder, { recursive: true })
  })
  const [one, two] = [await Asked.over(sqlite, now), await Asked.over(node, now)]
  const three = await Asked.over(copy, now)
  const database = await openDirect(server.url, { now })
  t.after(() => database.close())
  const direct = await Asked.over(database, now)
  const caughtUp = following(t, two, node, copy)
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
      // It has no index: it answers queries for everything and refuses those that need an index.
      if (JSON.parse(asked)[0] === 501) assert.match(sent.body ?? '', /"(?:text|where|sort|facets|similar)":/)
      else assert.equal(asked, answer, JSON.stringify(sent))
      requests.note(expected)
      const kind = `${sent.method} ${JSON.parse(expected)[0]}`
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1)
    }
  }
  t.diagnostic(JSON.stringify(Object.fromEntries([...statuses].sort())))
  // Requests of every kind have both succeeded and been refused.
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
