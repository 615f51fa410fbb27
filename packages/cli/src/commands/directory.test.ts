import assert from 'node:assert/strict'
import dns, { promises } from 'node:dns'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { definitionFromText } from '@worldwright/publish'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

const ARGV = ['directory', 'build', 'worlds.txt', '--out', 'made']

test('what cannot be judged is in the directory with its reason, and a definition that is there is kept', async (t) => {
  const cwd = await folderOf(t, {
    'worlds.txt': 'https://sol.example # ours\n\nfiles.example\nshut.example\nftp://x\na b\n',
  })
  const tokens: (string | null)[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { host } = new URL(String(input))
    tokens.push(new Headers(init?.headers).get('authorization'))
    if (host === 'files.example') return new Response('<p>hello')
    if (host === 'shut.example') throw new TypeError('fetch failed')
    return Response.json({
      protocol: 'world/0.1',
      world: {
        id: 'urn:x:sol',
        name: `Sol\0${'\ud83d\ude00'.repeat(900)}`,
        description: 5,
        license: 'CC0-1.0',
      },
      endpoints: { api: 'https://sol.example/api' },
      entityTypes: [{ type: 'sol:moon', title: 'Moon' }, { type: 'Not a type' }],
      authentication: { required: true },
      extensions: { 'worldwright:query': {} },
    })
  }
  const env = { WORLD_TOKEN: 'secret' }
  const { code, err } = await runWith(ARGV, { cwd, fetch, env })
  assert.equal(code, 0, err)
  for (const said of [
    'no origin: ftp://x',
    'no origin: a b',
    'sol.example: not judged: it needs a token',
    'Wrote 3 worlds to made',
  ])
    assert.ok(err.includes(said), err)
  assert.deepEqual([...new Set(tokens)], [null])
  const built = (await readFile(join(cwd, 'made/worlds.ndjson'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    built.map(({ type, id, attributes }) => [type, id, attributes.state, attributes.reason]),
    [
      [
        'worldwright:world',
        'files.example',
        'not judged',
        'There is no world at https://files.example: where its discovery document would be, it answers with something else.',
      ],
      ['worldwright:world', 'shut.example', 'not judged', built[1].attributes.reason],
      ['worldwright:world', 'sol.example', 'not judged', 'it needs a token'],
    ],
  )
  const { title, summary, attributes } = built[2]
  assert.deepEqual(
    [title.slice(0, 5), title.length, title.isWellFormed(), summary],
    ['Sol\ud83d\ude00', 1000, true, undefined],
  )
  const { judged, ...rest } = attributes
  assert.deepEqual(rest, {
    origin: 'https://sol.example',
    world: 'urn:x:sol',
    types: ['sol:moon'],
    titles: ['Moon'],
    entryType: 'application/json',
    extensions: ['worldwright:query'],
    license: 'CC0-1.0',
    state: 'not judged',
    reason: 'it needs a token',
  })
  assert.ok(!Number.isNaN(Date.parse(judged)))
  const text = await readFile(join(cwd, 'made/world.yaml'), 'utf8')
  assert.equal(definitionFromText(text, 'world.yaml').types[0]?.type, 'worldwright:world')
  await writeFile(join(cwd, 'worlds.txt'), 'shut.example')
  await writeFile(join(cwd, 'made/world.yaml'), 'name: Mine')
  assert.equal((await runWith(ARGV, { cwd, fetch })).code, 0)
  assert.equal(await readFile(join(cwd, 'made/world.yaml'), 'utf8'), 'name: Mine')
  assert.equal((await readFile(join(cwd, 'made/worlds.ndjson'), 'utf8')).split('\n').length, 2)
})

test('a public world that leads to a private address is not judged, and gets no request there', async (t) => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.end('{}')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  // The name is looked up once for the guard, and has another address from then on.
  const addresses: object[][] = []
  t.mock.method(promises, 'lookup', async () => addresses.shift() ?? [])
  t.mock.method(dns, 'lookup', (_name: string, _options: object, done: (...all: unknown[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }]),
  )
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  const origin = `http://sol.example:${port}`
  const cwd = await folderOf(t, { 'worlds.txt': origin })
  const document = { protocol: 'world/0.1', endpoints: { api: `http://127.0.0.1:${port}/api` } }
  for (const fetch of [undefined, async () => Response.json(document)]) {
    addresses.push([{ address: '8.8.8.8', family: 4 }])
    const { code, err } = await runWith(ARGV, { cwd, ...(fetch && { fetch }) })
    assert.equal(code, 0, err)
    assert.match(err, /sol\.example:\d+: not judged: .*127\.0\.0\.1/)
  }
  assert.equal(requests, 0)
})
