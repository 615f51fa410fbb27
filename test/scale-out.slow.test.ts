import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { NO_POSTGRES, startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { serveIn, world, worldIn } from './command.ts'
import { ROOT } from './source-files.ts'

const PLANETS = '/api/world/v0/entities/sol%3Aplanet'
const ASTEROIDS = '/api/world/v0/entities/sol%3Aasteroid'

async function machine(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'node-'))
  t.after(() => rm(folder, { recursive: true }))
  await cp(join(ROOT, 'examples/solar-system'), folder, { recursive: true })
  return folder
}

async function read(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers })
  const body = (await answer.json()) as { title?: string; world?: { id: string } }
  return { status: answer.status, tag: answer.headers.get('etag'), body }
}

test('two nodes over one PostgreSQL agree, and each keeps working if the other or the database fails', async (t) => {
  const server = await startPostgres()
  if (server === undefined) return t.skip(NO_POSTGRES)
  t.after(() => server.end())
  const folders = [await machine(t), await machine(t)]
  const start = (folder: string) => serveIn(folder, t, '--store', server.url, '--operator', '--workers', '2')
  const [one, two] = await Promise.all(folders.map(start))
  assert.ok(one && two)
  const created = await worldIn(
    folders[0] ?? '',
    'token',
    'create',
    '--store',
    server.url,
    '--name',
    'test',
    '--scope',
    'write',
  )
  assert.equal(created.code, 0, created.stderr)
  const authorization = `Bearer ${created.stdout.trim()}`
  const put = async (origin: string, id: string) => {
    const body = JSON.stringify({
      type: 'sol:asteroid',
      id,
      title: id,
      attributes: { orbitClass: 'main belt', discoveryYear: 2026 },
    })
    const url = `${origin}/api/operator/v0/entities/sol%3Aasteroid/${id}`
    return fetch(url, { method: 'PUT', body, headers: { authorization, 'content-type': 'application/json' } })
  }

  const pages = await Promise.all([one, two].map(({ origin }) => read(`${origin}${PLANETS}?limit=3`)))
  assert.deepEqual(pages[0], pages[1])
  const documents = await Promise.all(
    [one, two].map(({ origin }) => read(`${origin}/.well-known/world.json`)),
  )
  assert.equal(documents[0]?.body.world?.id, documents[1]?.body.world?.id)

  const written = await put(one.origin, 'vulcan')
  assert.equal(written.status, 201)
  assert.equal((await read(`${one.origin}${ASTEROIDS}/vulcan`)).body.title, 'vulcan')
  const position = written.headers.get('worldwright-position') ?? ''
  const elsewhere = await read(`${two.origin}${ASTEROIDS}/vulcan`, { 'worldwright-after': position })
  assert.deepEqual([elsewhere.status, elsewhere.body.title], [200, 'vulcan'])

  await server.kill()
  assert.equal((await read(`${two.origin}${ASTEROIDS}/vulcan`)).status, 200)
  const refused = await put(two.origin, 'nibiru')
  assert.deepEqual(
    [refused.status, ((await refused.json()) as { details: { reason: string } }).details.reason],
    [503, 'unreachable'],
  )
  await server.start()
  const again = await put(two.origin, 'nibiru')
  assert.equal(again.status, 201)

  one.child.kill('SIGKILL')
  assert.equal((await put(two.origin, 'planet-nine')).status, 201)
  const back = await start(folders[0] ?? '')
  const after = again.headers.get('worldwright-position') ?? ''
  assert.equal((await read(`${back.origin}${ASTEROIDS}/nibiru`, { 'worldwright-after': after })).status, 200)
})

test('a node over PostgreSQL passes the conformance kit', async (t) => {
  const server = await startPostgres()
  if (server === undefined) return t.skip(NO_POSTGRES)
  t.after(() => server.end())
  const node = await serveIn(await machine(t), t, '--store', server.url, '--workers', '2')
  const { code, stdout } = await world('check', node.origin, '--profile', 'full')
  assert.equal(code, 0, stdout)
  assert.match(stdout, /passed/)
})
