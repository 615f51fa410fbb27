import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import { checkServer } from '@worldwright/conformance'
import { createWorld } from '@worldwright/core'
import { compareUtf8, type Source } from '@worldwright/core/store'
import { describeSource } from '@worldwright/core/store/suite'
import { listen } from '@worldwright/node'
import { withIndex } from '@worldwright/search/entities'
import { apiSource } from '../examples/sources/api-source.ts'
import { sqlSource, type Table } from '../examples/sources/sql-source.ts'
import { ROOT } from './source-files.ts'

/** Maximum number of entities that the API returns at once. */
const API_PAGE = 100

/** Makes a database with a table for planets and one for moons, and opens the source over it. */
function database(entities: readonly Entity[], t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'sql-source-'))
  const file = join(folder, 'sol.db')
  const writer = new DatabaseSync(file)
  for (const table of ['planet', 'moon'])
    writer.exec(`CREATE TABLE ${table} (id TEXT PRIMARY KEY, title TEXT, summary TEXT, data TEXT NOT NULL)`)
  const put = ({ type, id, title, summary, attributes }: Entity) =>
    writer
      .prepare(`INSERT OR REPLACE INTO ${type.slice('sol:'.length)} VALUES (?, ?, ?, ?)`)
      .run(id, title ?? null, summary ?? null, JSON.stringify(attributes))
  writer.exec('BEGIN')
  for (const entity of entities) put(entity)
  writer.exec('COMMIT')
  const reader = new DatabaseSync(file, { readOnly: true })
  t.after(() => {
    for (const connection of [reader, writer]) connection.close()
    rmSync(folder, { recursive: true })
  })
  const entity: Table['entity'] = ({ id, title, summary, data }) => ({
    id: String(id),
    ...(title !== null && { title: String(title) }),
    ...(summary !== null && { summary: String(summary) }),
    attributes: JSON.parse(String(data)),
  })
  const tables = { 'sol:moon': { name: 'moon', entity }, 'sol:planet': { name: 'planet', entity } }
  return { source: sqlSource(reader, tables), reopen: () => sqlSource(reader, tables), put }
}

/** Starts an API whose items have other members than entities, and opens the source over it. */
async function api(given: readonly Entity[], t: TestContext, maxAgeMs?: number) {
  const entities = [...given]
  const status = { code: 200 }
  const itemsOf = (type: string) =>
    entities
      .filter((one) => one.type === type)
      .sort((a, b) => compareUtf8(a.id, b.id))
      .map(({ id, title, summary, attributes }) => ({
        key: id,
        name: title,
        about: summary,
        data: attributes,
      }))
  const answerTo = ({ pathname, searchParams }: URL): unknown => {
    const [, type = '', key] = pathname.split('/').map(decodeURIComponent)
    if (type === '') {
      const types = [...new Set(entities.map((one) => one.type))].sort()
      return Object.fromEntries(types.map((one) => [one, itemsOf(one).length]))
    }
    if (key !== undefined) return itemsOf(type).find((item) => item.key === key)
    const after = searchParams.get('after') ?? ''
    const limit = Math.min(API_PAGE, Number(searchParams.get('limit')))
    return itemsOf(type)
      .filter((item) => compareUtf8(item.key, after) > 0)
      .slice(0, limit)
  }
  const server = createServer((request, response) => {
    const found = answerTo(new URL(request.url ?? '', 'http://localhost'))
    const etag = `"${createHash('sha256').update(JSON.stringify(entities)).digest('base64url')}"`
    response.writeHead(found === undefined ? 404 : status.code, { 'content-type': 'application/json', etag })
    response.end(JSON.stringify(found ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  type Item = ReturnType<typeof itemsOf>[number]
  const entityOf = (type: string, item: unknown) => {
    const { key, name, about, data } = item as Item
    return {
      type,
      id: key,
      ...(name !== undefined && { title: name }),
      ...(about !== undefined && { summary: about }),
      attributes: data,
    }
  }
  return { source: apiSource(url, entityOf, maxAgeMs), entities, status, server }
}

const SOURCES = {
  'rows of a table': (entities: readonly Entity[], t: TestContext) => database(entities, t).source,
  'an API': async (entities: readonly Entity[], t: TestContext) => (await api(entities, t)).source,
}

for (const [name, open] of Object.entries(SOURCES)) {
  describeSource(name, open)
  describeSource(`${name} with an index`, async (entities, t) => withIndex(await open(entities, t)))
}

const MOONS: Entity[] = Array.from({ length: 230 }, (_, at) => ({
  type: 'sol:moon',
  id: `m${at}`,
  title: `Moon ${at}`,
  attributes: { massKg: at },
}))

async function serve(source: Source, t: TestContext): Promise<string> {
  const types = [{ type: 'sol:moon' }, { type: 'sol:planet' }]
  const { url, close } = await listen(createWorld({ id: 'urn:x:sol', types, store: source, log() {} }), {
    port: 0,
  })
  t.after(() => close())
  return url
}

async function totalAt(url: string, headers = {}): Promise<number> {
  const page = (await (await fetch(url, { headers })).json()) as { total: number }
  return page.total
}

for (const [name, open] of Object.entries(SOURCES))
  test(`a world over ${name} passes Level 1`, async (t) => {
    const url = await serve(await open(MOONS, t), t)
    const results = await Array.fromAsync(checkServer(url, { profile: 'level-1' }))
    assert.deepEqual(
      results.filter(({ outcome }) => outcome === 'fail'),
      [],
    )
    assert.ok(results.filter(({ outcome }) => outcome === 'pass').length >= 50)
  })

test('rows that another connection commits are served, and versions differ between processes', async (t) => {
  const { source, reopen, put } = database(MOONS, t)
  const url = `${await serve(source, t)}/api/world/v0/entities/sol:moon`
  const first = await fetch(url)
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  assert.equal((await fetch(url, { headers })).status, 304)
  put({ type: 'sol:moon', id: 'new', attributes: {} })
  assert.equal(await totalAt(url, headers), 231)
  assert.notEqual(await source.version(), await reopen().version())
})

test('changes of an API are served once its version is too old', async (t) => {
  const { source, entities } = await api(MOONS, t, 0)
  const url = `${await serve(source, t)}/api/world/v0/entities/sol:moon`
  assert.equal(await totalAt(url), 230)
  entities.push({ type: 'sol:moon', id: 'new', attributes: {} })
  assert.equal(await totalAt(url), 231)
  const lasting = await api(MOONS, t, Number.POSITIVE_INFINITY)
  const version = await lasting.source.version()
  lasting.entities.pop()
  assert.equal(await lasting.source.version(), version)
})

test('a failing API is a store fault, and an aborted call rejects with the reason of its signal', async (t) => {
  const { source, status, server } = await api(MOONS, t, 0)
  const url = `${await serve(source, t)}/api/world/v0/entities/sol:moon/m1`
  assert.equal((await fetch(url)).status, 200)
  status.code = 500
  await assert.rejects(async () => source.get('sol:moon', 'm1'), { name: 'StoreFault', code: 'unreachable' })
  assert.equal((await fetch(url)).status, 503)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await assert.rejects(async () => source.version(), { name: 'StoreFault', code: 'unreachable' })
  const reason = new Error('the client left')
  await assert.rejects(
    async () => source.get('sol:moon', 'm1', { signal: AbortSignal.abort(reason) }),
    reason,
  )
})

test('each example has at most 40 lines', () => {
  for (const name of ['sql-source', 'api-source']) {
    const lines = readFileSync(join(ROOT, `examples/sources/${name}.ts`), 'utf8').split('\n').length - 1
    assert.ok(lines <= 40, `${name} has ${lines} lines`)
  }
})

test('the source over SQL fails for integer ids, of which it would list none', async () => {
  const memory = new DatabaseSync(':memory:')
  memory.exec(`CREATE TABLE loan (id INTEGER PRIMARY KEY); INSERT INTO loan VALUES (1), (10);
    CREATE VIEW texts AS SELECT CAST(id AS TEXT) AS id FROM loan; CREATE TABLE empty (id INTEGER PRIMARY KEY)`)
  const entity = ({ id }: Record<string, unknown>) => ({ id: String(id), attributes: {} })
  const listed = async (name: string) => {
    const { entities } = await sqlSource(memory, { 'a:one': { name, entity } }).list('a:one', { limit: 9 })
    return entities.map(({ id }) => id)
  }
  assert.deepEqual(await listed('texts'), ['1', '10'])
  assert.deepEqual(await listed('empty'), [])
  await assert.rejects(listed('loan'), /The ids of loan must be TEXT/)
})
