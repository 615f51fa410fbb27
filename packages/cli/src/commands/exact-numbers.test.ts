import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

/** Numbers that `JSON.parse` and `JSON.stringify` together change, each by name. */
const NUMBERS = {
  big: '9007199254740993',
  bigger: '12345678901234567003',
  one: '1.0',
  vast: '1e400',
  zero: '-0',
  long: '0.1000000000000000055',
}
const LISTED = Object.entries(NUMBERS)
const ATTRIBUTES = `{${LISTED.map(([name, text]) => `"${name}": ${text}`)},\n "list": [1.0], "2":"\\u00e9","1":{}}`
const IO = `{"type":"sol:moon","id":"io",\r\n  "attributes":${ATTRIBUTES}}`
const LINE = IO.replace(/[\r\n]+ */g, '')
const FOREIGN = `{"kind":"sol:moon","slug":9007199254740993,${ATTRIBUTES.slice(1)}`
const CHANGE = `{"op":"put","type":"sol:moon","id":"io","revision":"r","position":"1","next":"n","entity":${LINE}}`

interface Served {
  readonly list?: string
  readonly extensions?: object
}

/** Serves a world with exactly these texts over HTTP until the test ends. Returns its origin. */
async function served(
  t: TestContext,
  { list = `{"entities":[${IO}],"total":1.0}`, extensions }: Served = {},
) {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`
    const document = { protocol: 'world/0.1', endpoints: { api: `${origin}/api` }, extensions }
    const { pathname } = new URL(request.url ?? '', origin)
    const bodies: Record<string, string> = {
      '/.well-known/world.json': `${JSON.stringify({ ...document, world: { id: 'urn:x' }, entityTypes: ['sol:moon'] }).slice(0, -1)},"version":1.0}`,
      '/api/entities/sol%3Amoon': list,
      '/api/entities/sol%3Amoon/io': IO,
      '/api/entities/sol%3Amoon/9007199254740993': FOREIGN,
      '/api/actions/wp%3Adiscover': `{"action":"wp:discover","output":{"entities":[${IO}],"total":1.0}}`,
      '/api/actions/worldwright%3Aquery': `{"action":"worldwright:query","output":{"entities":[${LINE}],"counts":{"sol:moon":1},"total":1,"facets":[{"property":"one","present":1,"absent":0,"buckets":[{"value":1.0,"count":1}]}]}}`,
      '/api/changes': `{"changes":[${CHANGE}],"next":"n","more":false,"position":"1"}`,
    }
    const body = bodies[pathname]
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(body ?? '{"code":"not_found","message":"No."}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const SAYS_CHANGES = { 'worldwright:changes': { path: 'changes', formats: [] } }

/** Asserts that a text has each number in its own digits, after a name and perhaps a unit of layout. */
function assertNumbers(text: string): void {
  for (const [name, number] of LISTED)
    assert.match(
      text,
      new RegExp(`${name}\\W+${number.replace('.', '\\.')}(?![\\d.e])`),
      `${name} in ${text}`,
    )
}

test('--json prints what was received: the text of an entity, or the same without line breaks', async (t) => {
  const url = await served(t)
  const run = async (...argv: string[]) => {
    const { code, out, err } = await runWith(argv)
    assert.equal(code, 0, err)
    return out
  }
  assert.equal(await run('get', url, 'sol:moon', 'io', '--json'), `${IO}\n`)
  for (const more of [[], ['--all']]) {
    assert.equal(await run('list', url, 'sol:moon', '--json', ...more), `${LINE}\n`)
    assert.equal(await run('discover', url, '--json', ...more), `${LINE}\n`)
    const lines = (await run('query', url, '--json', ...more)).split('\n')
    assert.deepEqual(lines.slice(0, 1), [LINE])
    assert.match(lines[1] ?? '', /"value":1\.0/)
  }
  assert.match(await run('show', url, '--json'), /,"version":1\.0\}\n$/)
  assert.ok((await run('call', url, 'wp:discover', '--json')).includes(IO))
})

test('text, tables, CSV and GeoJSON have the digits that were received', async (t) => {
  const url = await served(t)
  assertNumbers((await runWith(['get', url, 'sol:moon', 'io'])).out)
  assertNumbers((await runWith(['call', url, 'wp:discover'])).out)
  const names = Object.keys(NUMBERS)
  const table = await runWith(['query', url, '--fields', names.join(), '--facet', 'one'])
  assert.match(table.out, new RegExp(`io +${Object.values(NUMBERS).join(' +').replaceAll('.', '\\.')}`))
  assert.match(table.out, /\n1\.0 +1 +█/)
  const asked = ['query', url, '--type', 'sol:moon']
  const csv = (await runWith([...asked, '--csv'])).out.replace('\ufeff', '').split('\n')
  const cells = Object.fromEntries(
    (csv[0] ?? '').split(',').map((name, at) => [name, csv[1]?.split(',')[at]]),
  )
  for (const [name, number] of LISTED) assert.equal(cells[name], number)
  assertNumbers((await runWith([...asked, '--geojson'])).out)
  assert.match((await runWith(['list', url, 'sol:moon'])).err, /1 in all/)
})

test('an id that is a number is requested and shown in its own digits', async (t) => {
  const url = await served(t, { list: `{"items":[${FOREIGN}],"next":null}` })
  const { out } = await runWith(['list', url, 'sol:moon'])
  assert.match(out, /\n9007199254740993 *\n/)
  assertNumbers((await runWith(['get', url, 'sol:moon', '9007199254740993'])).out)
})

test('watch --json prints a change as received', async (t) => {
  const url = await served(t, { extensions: SAYS_CHANGES })
  const ending = new AbortController()
  const lines: string[] = []
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      lines.push(chunk)
      ending.abort()
      done()
    },
  })
  await runWith(['watch', url, '--json', '--since', 'start'], { stdout, signal: ending.signal })
  assert.deepEqual(lines, [`${CHANGE}\n`])
})

for (const [kind, world, lines] of [
  ['lists', {}, [LINE]],
  ['changes', { extensions: SAYS_CHANGES }, [LINE]],
  [
    'lists with other names',
    { list: `{"items":[${FOREIGN}],"next":null}` },
    [
      `{"type":"sol:moon","id":"9007199254740993","attributes":{"1":{},"2":"é",${LISTED.map(([name, text]) => `"${name}":${text}`)},"list":[1.0]}}`,
    ],
  ],
  [
    'lists with a repeated key',
    { list: '{"entities":[{"type":"sol:moon","id":"io","attributes":{"a":1,"a":2}}]}' },
    ['{"type":"sol:moon","id":"io","attributes":{"a":1,"a":2}}'],
  ],
] as const) {
  test(`a mirror of a world of ${kind} has the numbers and keys that were received`, async (t) => {
    const url = await served(t, world)
    const cwd = await folderOf(t, {})
    for (const counts of [/1 new, 0 changed/, /0 new, 0 changed/]) {
      const { code, err } = await runWith(['mirror', url, '.'], { cwd })
      assert.deepEqual([code, counts.test(err)], [0, true], err)
    }
    assert.deepEqual((await readFile(join(cwd, 'sol.moon.ndjson'), 'utf8')).trimEnd().split('\n'), lines)
    assert.match(await readFile(join(cwd, 'discovery.json'), 'utf8'), /,"version":1\.0\}\n$/)
  })
}

test('a mirror that would lose one value of a repeated key fails and says for which entity', async (t) => {
  const url = await served(t, {
    list: '{"items":[{"kind":"sol:moon","slug":"io","a":{"b":1,"b":2}}],"next":null}',
  })
  const { code, err } = await runWith(['mirror', url, '.'], { cwd: await folderOf(t, {}) })
  assert.equal(code, 1)
  assert.match(err, /sol:moon io has a key twice/)
})

test('a served mirror has numbers exactly or leaves out their entity with a warning', async (t) => {
  const entity = (id: string, number: string) =>
    `{"type":"sol:moon","id":"${id}","attributes":{"n":${number}}}`
  const entities = [...LISTED.map(([name, number]) => entity(name, number)), entity('double', '0.1')]
  const url = await served(t, { list: `{"entities":[${entities}]}` })
  const cwd = await folderOf(t, {})
  const mirrored = await runWith(['mirror', url, '.'], { cwd })
  assert.equal(mirrored.code, 0, mirrored.err)
  const mirror = await serving(t, cwd, '--workers', '1')
  assert.deepEqual(await mirror.ids('sol:moon'), ['double', 'one', 'zero'])
  for (const [id, number] of [
    ['double', '0.1'],
    ['one', '1'],
    ['zero', '0'],
  ] as const)
    assert.match((await runWith(['get', mirror.url, 'sol:moon', id])).out, new RegExp(`\\nn +${number}\\n`))
  for (const said of [
    /9007199254740993 is beyond ±\(2\^53−1\), where whole numbers lose digits; write it as a string/,
    /12345678901234567003 is beyond/,
    /1e400 is too large or too small for a number; write it as a string/,
    /0\.1000000000000000055 has more digits than a number keeps; write it as a string/,
  ])
    assert.match(mirror.greeting, said)
  await mirror.stop()
})

test('put sends the digits that were typed, and a world of ours refuses what it cannot hold', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'operator: true\ntypes: [{type: sol:moon}]\n' })
  const world = await serving(t, cwd, '--workers', '1')
  const token = (await runWith(['token', 'create', '--scope', 'write'], { cwd })).out.trim()
  for (const number of [NUMBERS.big, NUMBERS.vast, NUMBERS.long]) {
    const argv = ['put', world.url, 'sol:moon', 'io', '--input', `{"attributes":{"n":${number}}}`]
    const { code, err } = await runWith([...argv, '--token', token])
    assert.equal(code, 1)
    assert.match(err, new RegExp(`${number.replace('.', '\\.')} .*write it as a string`))
  }
  assert.deepEqual(await world.ids('sol:moon'), [])
  await world.stop()
})
