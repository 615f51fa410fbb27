import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import { answerOf, SHAPES } from '../../../client/src/foreign/shapes.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

async function answering(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Answers as a world with other names does; with a refusal where the fixture expects right requests. */
function foreignAnswer(origin: string, target: string, body: string): Response {
  try {
    return answerOf(SHAPES.bareHeader, origin, target, body)
  } catch {
    return Response.json({ code: 'bad', message: 'Bad.' }, { status: 400 })
  }
}

const BIRDS = JSON.stringify({
  name: 'Birds of \u202e Elba',
  description: 'What flies there.',
  license: 'CC0-1.0',
  types: [{ type: 'elba:bird', title: 'Bird', search: { note: 2 } }],
  sources: ['birds.ndjson'],
})

/** Discovery document whose words are hostile, and whose API is not there. */
const HOSTILE = {
  protocol: 'world/0.1',
  world: { id: 'x:\0y', name: '\ud800'.repeat(5000), license: 7, description: ['x'] },
  endpoints: { api: 'http://127.0.0.1:1/api' },
  entityTypes: [
    { type: '__proto__' },
    { type: 'a:b', title: 'x'.repeat(9999) },
    ...Array(500).fill({ type: 'a:c' }),
  ],
  extensions: { ['y'.repeat(5000)]: {} },
}

test('a directory is built from good and bad worlds, and served and searched like any world', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': BIRDS,
    'birds.ndjson': '{"type":"elba:bird","id":"owl","attributes":{"note":"by night"}}\n',
  })
  const { url: birds } = await serving(t, cwd)
  const foreign = await answering(t, async (request, response) => {
    const origin = `http://${request.headers.host}`
    const body = Buffer.concat(await request.toArray()).toString()
    const answer = foreignAnswer(origin, request.url ?? '/', body)
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  const page = await answering(t, (_, response) => response.end('<p>hello'))
  const hostile = await answering(t, ({ url }, response) =>
    response
      .writeHead(url === '/.well-known/world.json' ? 200 : 500, { 'content-type': 'application/json' })
      .end(JSON.stringify(HOSTILE)),
  )
  const endless = await answering(t, (_, response) => {
    const more = () => response.writable && response.write(' '.repeat(65_536), more)
    response.writeHead(200, { 'content-type': 'application/json' })
    more()
  })
  const origins = [
    birds,
    '# a comment',
    foreign,
    page,
    hostile,
    endless,
    'http://127.0.0.1:1',
    birds,
    'ftp://x',
    'a b',
  ]
  const argv = ['directory', 'build', 'worlds.txt', '--out', 'made']
  await writeFile(join(cwd, 'worlds.txt'), origins.join('\n'))
  const env = { WORLD_TOKEN: 'secret', WORLD_LOG_FORMAT: 'text' }
  const { code, err } = await runWith(argv, { cwd, env })
  assert.equal(code, 0, err)
  assert.match(err, /Left out, since it is no origin: ftp:\/\/x/)
  assert.match(err, /Wrote 6 worlds to made/)
  const text = await readFile(join(cwd, 'made/worlds.ndjson'), 'utf8')
  const built = text
    .trimEnd()
    .split('\n')
    .map((line): Entity => JSON.parse(line))
  const of = (origin: string) => built.find(({ attributes }) => attributes['origin'] === origin)
  const { title, summary, attributes } = of(birds) as Entity
  assert.deepEqual([title, summary], ['Birds of \u202e Elba', 'What flies there.'])
  const { judged, world, extensions, reading, ...rest } = attributes
  assert.deepEqual(rest, {
    origin: birds,
    types: ['elba:bird'],
    titles: ['Bird'],
    entryType: 'application/json',
    license: 'CC0-1.0',
    state: 'passed',
    level: 1,
  })
  assert.match(String(world), /^urn:uuid:/)
  assert.ok(Math.abs(Date.parse(String(judged)) - Date.now()) < 60_000)
  assert.ok((extensions as string[]).includes('worldwright:query'))
  assert.equal((reading as { profile: string }).profile, 'worldwright/reading-1')
  assert.equal((of(foreign)?.attributes['reading'] as { names: { id: string } }).names.id, 'slug')
  assert.equal(of(foreign)?.attributes['state'], 'passed')
  assert.deepEqual(
    [page, endless, 'http://127.0.0.1:1'].map((origin) => of(origin)?.attributes['state']),
    Array(3).fill('not judged'),
  )
  assert.match(String(of(page)?.attributes['reason']), /There is no world at/)
  assert.equal(of(hostile)?.attributes['state'], 'failed')
  assert.ok(JSON.stringify(of(hostile)).length < 40_000)

  const { url } = await serving(t, cwd, 'made')
  const response = await fetch(`${url}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: { text: 'birds' } }),
  })
  assert.deepEqual(await response.json(), {
    results: [
      {
        identifier: 'urn:air:127.0.0.1:world',
        displayName: title,
        type: 'application/json',
        url: `${birds}/.well-known/world.json`,
        description: summary,
        tags: ['elba:bird'],
        metadata: { world, license: 'CC0-1.0', level: 1, judged },
        score: 100,
        source: `${url}/`,
      },
    ],
  })
})
