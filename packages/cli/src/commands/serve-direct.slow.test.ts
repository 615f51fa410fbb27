import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import {
  missingForOpenSearch,
  type OpenSearchCluster,
  startOpenSearch,
} from '../../../opensearch/src/opensearch.fixture.ts'
import { NO_POSTGRES, type PostgresServer, startPostgres } from '../../../postgres/src/server.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const GUIDE = new URL('../../../../docs/guides/scale-out.md', import.meta.url)
const DEFINITION = 'id: urn:example:sol\ntypes:\n  - type: sol:moon\n'

const skip = missingForOpenSearch()
let cluster: OpenSearchCluster
let server: PostgresServer | undefined

before(async () => {
  if (skip !== undefined) return
  ;[cluster, server] = await Promise.all([startOpenSearch(), startPostgres()])
})
after(async () => {
  await cluster?.end()
  await server?.end()
})

/** Returns the arguments of the guide's command for a machine without a replica, adapted to the test servers. */
async function guideCommand(): Promise<string[]> {
  const [, section = ''] = (await readFile(GUIDE, 'utf8')).split('### Without a replica')
  const [, block = ''] = /^```sh\n(.*?)^```/ms.exec(section) ?? []
  return block
    .trim()
    .replaceAll(/ \\\n +/g, ' ')
    .replaceAll("'", '')
    .replace('postgres://world@db.example/sol', `${server?.url}`)
    .replace(/search-1[^/]*/, cluster.hosts[0] as string)
    .split(' ')
    .slice(3)
}

test('machines without a replica serve, write and search a shared store', { skip }, async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const command = [...(await guideCommand()), '--operator', '--workers', '2']
  const folders = await Promise.all([1, 2].map(() => folderOf(t, { 'world.yaml': DEFINITION })))
  const [one, two] = (await Promise.all(folders.map((cwd) => serving(t, cwd, ...command)))) as [
    Awaited<ReturnType<typeof serving>>,
    Awaited<ReturnType<typeof serving>>,
  ]
  const [, store = ''] = command
  const made = await runWith(
    ['token', 'create', '--scope', 'write', '--scope', 'read', '--store', store, '--json'],
    { cwd: folders[0] as string },
  )
  const { token } = JSON.parse(made.out)
  const asked = (url: string, path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
    })
  const put = async (url: string, id: string, title: string) => {
    const response = await asked(url, `/api/operator/v0/entities/sol:moon/${id}`, {
      method: 'PUT',
      body: JSON.stringify({ type: 'sol:moon', id, title, attributes: { radius: 1 } }),
    })
    assert.ok(response.ok, `${response.status} ${await response.text()}`)
    return response.headers.get('worldwright-position') ?? ''
  }
  const found = async (url: string, input: object, position: string) => {
    for (;;) {
      const response = await asked(url, '/api/world/v0/actions/wp:discover', {
        method: 'POST',
        headers: { 'worldwright-after': position },
        body: JSON.stringify({ input }),
      })
      const body = (await response.json()) as {
        output?: { entities: { id: string }[]; partial?: boolean }
        code?: string
      }
      // A newly started cluster may time out or return partial results.
      if (response.status !== 503 && !body.output?.partial)
        return body.output?.entities.map(({ id }) => id) ?? body.code
    }
  }
  await put(one.url, 'europa', 'Ice')
  const position = await put(two.url, 'io', 'Fire and ice')
  for (const { url, ids } of [one, two]) {
    assert.deepEqual(await ids('sol:moon'), ['europa', 'io'])
    assert.deepEqual(await found(url, { text: 'ice' }, position), ['europa', 'io'])
    assert.deepEqual(await found(url, { text: '' }, position), ['europa', 'io'])
  }
  const read = () => asked(one.url, '/api/world/v0/entities/sol:moon/io')
  assert.equal(((await (await read()).json()) as { title: string }).title, 'Fire and ice')
  await put(two.url, 'io', 'Fire')
  // A cached response is invalidated when its entity changes.
  assert.equal(((await (await read()).json()) as { title: string }).title, 'Fire')
  const checked = await runWith(['check', one.url])
  assert.equal(checked.code, 0, checked.out + checked.err)
  const verified = await runWith(['verify', ...command.slice(0, 4)], { cwd: folders[0] as string })
  assert.equal(verified.code, 0, verified.err)
  assert.match(verified.err, /2 entities, all sound/)
  for (const folder of folders) assert.deepEqual(readdirSync(folder), ['world.yaml'])
})

test('a machine without a replica refuses to start without a search cluster', async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const cwd = await folderOf(t, { 'world.yaml': 'id: urn:example:sol\n' })
  const { code, err } = await runWith(['serve', '--store', `${server.url}?cache=none`], { cwd })
  assert.equal(code, 2)
  assert.match(err, /--search opensearch:\/\/HOST\/INDEX/)
})
