import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import { folderOf } from '../packages/cli/src/serving.fixture.ts'
import { connect } from '../packages/client/src/index.ts'
import { FILE } from './browser.ts'
import { isCommand } from './foreign-worlds.ts'
import { reasonToSkip } from './missing.ts'
import { type RunningSite, serveSite } from './site.ts'
import { ROOT } from './source-files.ts'

const LACKING = reasonToSkip(isCommand('nginx'), 'nginx')

/** Ids that cause difficulties in a path or as a file name. */
const ODD = [
  ...['a/b', 'two words', '100%', 'what?', '#1', 'Ω', '%2F', 'a+b', '.hidden', 'lists'],
  // Strings with a special meaning to file servers, shells and other programs.
  ...[
    'a\\b',
    'con',
    'NUL.txt',
    'Io',
    'io',
    'end.',
    '...',
    '-x',
    '~',
    '*',
    '$uri',
    '$(x)',
    'a;b&c=d',
    `it's "q"`,
  ],
  ...[
    'card.png',
    'io.json',
    'deep/index.html',
    'a:b',
    'e\u0323\u0307',
    '\u202eabc',
    '🪐',
    'ö'.repeat(125),
  ].map((id) => id.normalize()),
]
const IDS = [...ODD, ...Array.from({ length: 100 }, (_, at) => `s-${at}`)]
const DEFINITION = `id: urn:example:sol
name: Sol
license: CC0-1.0
types:
  - type: sol:moon
    title: Moons
  - type: sol:planet
    title: Planets
`
const PLANET = '{"type":"sol:planet","id":"saturn","title":"Saturn","attributes":{}}\n'

function moons(...ids: readonly string[]): string {
  const moon = (id: string) => ({ type: 'sol:moon', id, title: `Moon ${id}`, attributes: { n: id.length } })
  return ids.map((id) => `${JSON.stringify(moon(id))}\n`).join('')
}

/** Site served by nginx. All tests share it, so they must not change it. */
let served: Promise<RunningSite> | undefined
function site(): Promise<RunningSite> {
  served ??= serveSite(FILE, { 'world.yaml': DEFINITION, 'moons.ndjson': PLANET + moons(...IDS) })
  return served
}

test('a world exported as files and served by nginx passes Level 1, except for search', {
  skip: LACKING,
}, async () => {
  const { origin, folder } = await site()
  const guide = await readFile(join(ROOT, 'docs/guides/publish-as-files.md'), 'utf8')
  const known = /`files.txt`:\n\n```\n(.*?)```/s.exec(guide)?.[1] ?? ''
  const baseline = join(folder, 'files.txt')
  await writeFile(baseline, known)
  const { code, out } = await runWith(['check', origin, '--profile', 'level-1', '--baseline', baseline])
  assert.equal(code, 0, out)
  assert.deepEqual(known.match(/^L1\S+$/gm), ['L1-discovery-8.a', 'L1-routes-4.a'])
  // Only checks that need the action may be left unasked.
  assert.doesNotMatch(
    out,
    /^not asked (?!L1-(discovery-7\.c|endpoints-(3|6\.c)|routes-4|discover-\d|service-3|errors-1\.q))/m,
  )
})

test('a client can walk the lists in pages of any size and get every entity', {
  skip: LACKING,
}, async () => {
  const { origin } = await site()
  const world = await connect(origin)
  const inOrder = IDS.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  for (const pageSize of [1, 7, 10, 99, 100, 1000]) {
    const ids: string[] = []
    for await (const { id } of world.entities('sol:moon', { pageSize })) ids.push(id)
    assert.deepEqual(ids, inOrder)
  }
  const { entities, total } = await world.list('sol:moon', { limit: 0 })
  assert.deepEqual([entities.length, total], [0, IDS.length])
  for (const id of ODD) {
    assert.equal((await world.get('sol:moon', id)).title, `Moon ${id}`)
    const page = await fetch(`${origin}/t/sol%3Amoon/${encodeURIComponent(id)}`)
    const text = await page.text()
    assert.match(text, /<h1 dir="auto">Moon /, id)
    const [, json = ''] = /type="application\/json" href="([^"]+)"/.exec(text) ?? []
    assert.match(json, /\.json$/)
    assert.equal(
      JSON.parse(await (await fetch(json.replaceAll('&#39;', "'").replaceAll('&amp;', '&'))).text()).id,
      id,
    )
  }
  const list = await (await fetch(`${origin}/t/sol%3Amoon`)).text()
  const [, next = ''] = /<link rel="next" href="([^"]+)">/.exec(list) ?? []
  assert.equal((await fetch(origin + next)).status, 200)
})

test('the files of the explorer are served beside the API', { skip: LACKING }, async () => {
  const { origin } = await site()
  const read = async (path: string) => JSON.parse(await (await fetch(origin + path)).text())
  const document = await read('/.well-known/world.json')
  const { entities, lists, firstPage } = document.extensions['worldwright:files']
  const [first] = (await read(`${lists}/sol%3Amoon/1/${firstPage}.json`)).entities
  assert.deepEqual(await read(`${entities}/sol%3Amoon/${encodeURIComponent(first.id)}.json`), first)
  // The name of a file is not an id.
  assert.equal((await fetch(`${document.endpoints.api}/entities/sol%3Amoon/${first.id}.json`)).status, 404)
})

test('for a missing page, a browser gets HTML and a program gets an error', { skip: LACKING }, async () => {
  const { origin } = await site()
  for (const path of [
    '/t/sol%3Amoon/none',
    '/t/sol%3Arock',
    '/t/sol%3Amoon/s-1/more',
    '/lists/sol%3Amoon/1',
  ]) {
    const response = await fetch(origin + path)
    assert.equal(response.status, 404, path)
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(await response.text(), /<h1 dir="auto">Nothing here</)
  }
  assert.equal((await fetch(`${origin}/nowhere`)).headers.get('content-type'), 'application/json')
})

test('the URLs in the sitemap lead to pages without a redirect', { skip: LACKING }, async () => {
  const { origin } = await site()
  const sitemap = await (await fetch(`${origin}/sitemaps/1.xml`)).text()
  const addresses = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, address = '']) => address)
  assert.equal(addresses.length, 1 + 2 + IDS.length + 1)
  for (const escaped of [...addresses, `${origin}/download`]) {
    const address = escaped.replaceAll('&#39;', "'").replaceAll('&amp;', '&')
    const { status } = await fetch(address, { redirect: 'manual' })
    assert.equal(status, 200, address)
  }
})

test('a missing resource gives the same status and code as a server', { skip: LACKING }, async () => {
  const { origin } = await site()
  const api = `${origin}/api/world/v0`
  const refused = {
    [`${api}/entities/sol%3Amoon/none`]: [404, 'entity_not_found'],
    [`${api}/entities/sol%3Amoon/s-1/more`]: [404, 'not_found'],
    [`${api}/entities/sol%3Amoon/a/b`]: [404, 'not_found'],
    [`${api}/entities/sol%3Arock`]: [404, 'unknown_type'],
    [`${api}/entities/sol%3Arock/s-1`]: [404, 'unknown_type'],
    [`${api}/entities/sol%3Amoon?limit=-1`]: [400, 'invalid_parameter'],
    [`${api}/entities/sol%3Amoon?limit=many`]: [400, 'invalid_parameter'],
    [`${api}/entities/sol%3Amoon?cursor=none`]: [400, 'invalid_cursor'],
    [`${api}/entities/sol%3Amoon?cursor=000000212345`]: [400, 'invalid_cursor'],
    [`${api}/actions/wp%3Adiscover`]: [404, 'unknown_action'],
    [`${api}/lists`]: [404, 'not_found'],
    [`${origin}/errors/not_found.json`]: [404, 'not_found'],
  } as const
  for (const [url, [status, code]] of Object.entries(refused)) {
    const response = await fetch(url)
    const body = (await response.json()) as { code: string }
    assert.deepEqual([response.status, body.code], [status, code], url)
  }
  const paths = ['/feed.atom', '/robots.txt', '/sitemap.xml', '/sitemaps/1.xml', '/download/']
  for (const path of [...paths, '/download/sol%3Amoon.csv', '/download/world.ndjson'])
    assert.equal((await fetch(origin + path)).status, 200, path)
})

/** Creates a folder with a store of its own. Returns a function that exports its site into `site`. */
async function exporting(t: Parameters<typeof folderOf>[0]) {
  const cwd = await folderOf(t, { 'world.yaml': DEFINITION, 'moons.ndjson': moons('io', 'europa') })
  const load = async (text: string, ...argv: string[]) => {
    await writeFile(join(cwd, 'moons.ndjson'), text)
    const { code, err } = await runWith(['import', 'moons.ndjson', ...argv], { cwd })
    assert.equal(code, 0, err)
  }
  await load(moons('io', 'europa'))
  const exported = (site: string, ...argv: string[]) =>
    runWith(['export', '--public-url', 'https://sol.example', '--site', site, ...argv], { cwd })
  return { cwd, load, exported }
}

test('exporting a site again changes only the files of changed entities', async (t) => {
  const { cwd, load, exported } = await exporting(t)
  const moon = join(cwd, 'site/api/world/v0/files/sol:moon/io.json')
  assert.equal((await exported('site')).code, 0)
  const before = (await stat(moon)).ino
  assert.match((await exported('site')).err, /; 0 changed\.\n$/)
  assert.equal((await stat(moon)).ino, before)
  await load(moons('io').replace('Moon io', 'Io'))
  assert.doesNotMatch((await exported('site')).err, /; 0 changed\.\n$/)
  assert.equal(JSON.parse(await readFile(moon, 'utf8')).title, 'Io')
  assert.deepEqual(
    (await readdir(cwd)).filter((name) => name.startsWith('.')),
    [],
  )
})

test('an unsafe export is refused and leaves nothing behind', async (t) => {
  const { cwd, load, exported } = await exporting(t)
  const refused = async (code: number, message: RegExp, ...argv: Parameters<typeof exported>) => {
    const ran = await exported(...argv)
    assert.match(ran.err, message)
    assert.equal(ran.code, code)
  }
  await mkdir(join(cwd, 'mine'))
  await writeFile(join(cwd, 'mine/diary.txt'), 'dear diary')
  await refused(2, /holds something other than a site/, 'mine')
  assert.equal(await readFile(join(cwd, 'mine/diary.txt'), 'utf8'), 'dear diary')
  await refused(2, /leave out --type/, 'x', '--type', 'sol:moon')
  await writeFile(join(cwd, 'world.yaml'), `${DEFINITION}private: true\n`)
  await refused(2, /--publish-private/, 'x')
  await refused(0, /^Wrote /, 'x', '--publish-private')
  await writeFile(join(cwd, 'world.yaml'), DEFINITION)
  for (const [id, message] of [
    ['index.html', /The name t\/sol:moon\/index\.html is taken/],
    ['x'.repeat(300), /is too long/],
    ['x//y', /cannot be a file/],
  ] as const) {
    await load(moons(id), '--replace')
    await refused(1, message, 'y')
  }
  const left = (await readdir(cwd)).filter((name) => name === 'y' || name.startsWith('.'))
  assert.deepEqual(left, [])
})
