import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MOONS = '{"type":"sol:moon","id":"europa"}\n{"type":"sol:moon","id":"io"}\n'

test('serve loads the sources of a folder and serves them until it is stopped', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'name: Sol\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const { url, greeting, stop } = await serving(t, cwd, '--workers', '1')
  assert.match(greeting, /^Sol\n {2}sol:moon {2}2\n/m)
  const shown = await runWith(['show', url, '--json'])
  const document = JSON.parse(shown.out)
  assert.deepEqual(
    document.entityTypes.map(({ title }: { title: string }) => title),
    ['Moon'],
  )
  assert.equal(await stop(), 0)
  const again = await serving(t, '/', cwd)
  const { world } = JSON.parse((await runWith(['show', again.url, '--json'])).out)
  assert.equal(world.id, document.world.id)
  assert.equal(await again.stop(), 0)
})

test('entities removed from a source are deleted at the next start', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  await (await serving(t, cwd, '--workers', '1')).stop()
  await writeFile(join(cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n')
  const { greeting, stop } = await serving(t, cwd)
  assert.match(greeting, /sol:moon {2}1\n/)
  assert.equal(await stop(), 0)
})

test('changed search weights take effect at the next start', async (t) => {
  const notes =
    '{"type":"sol:moon","id":"a","note":"red","other":"ice"}\n{"type":"sol:moon","id":"b","note":"ice","other":"red"}\n'
  const cwd = await folderOf(t, { 'moons.ndjson': notes })
  for (const [weights, expected] of [
    ['{ note: 3 }', ['a', 'b']],
    ['{ other: 3 }', ['b', 'a']],
  ] as const) {
    const yaml = `sources: [moons.ndjson]\ntypes: [{ type: 'sol:moon', search: ${weights} }]\n`
    await writeFile(join(cwd, 'world.yaml'), yaml)
    const { url, stop } = await serving(t, cwd)
    const { out } = await runWith(['discover', url, 'red', '--json'])
    const found = out.trimEnd().split('\n')
    assert.deepEqual(
      found.map((line) => JSON.parse(line).id),
      expected,
    )
    assert.equal(await stop(), 0)
  }
})

test("the definition's synonyms apply to searches through workers and the search process", async (t) => {
  const moons = '{"type":"sol:moon","id":"a","title":"A natural satellite"}\n'
  const synonyms = '[{from: [moon], to: [natural satellite]}]'
  const yaml = `sources: [moons.ndjson]\nsearch: {synonyms: ${synonyms}}\n`
  const cwd = await folderOf(t, { 'moons.ndjson': moons, 'world.yaml': yaml })
  const { url, stop } = await serving(t, cwd, '--workers', '2')
  const found = async (...args: string[]) => JSON.parse((await runWith([...args, '--json'])).out).id
  assert.equal(await found('discover', url, 'moons'), 'a')
  assert.equal(await found('query', url, '--text', 'moon'), 'a')
  assert.equal(await stop(), 0)
})

test('a store is served without a definition', async (t) => {
  const cwd = await folderOf(t, { 'moons.ndjson': MOONS })
  await runWith(['import', 'moons.ndjson', '--store', 'sqlite:a.db'], { cwd })
  const { url, stop } = await serving(t, cwd, '--store', 'sqlite:a.db')
  const { out } = await runWith(['list', url, 'sol:moon', '--json'])
  assert.equal(out.trimEnd().split('\n').length, 2)
  assert.equal(await stop(), 0)
})

test('listening beyond loopback requires a public URL', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: Sol\n' })
  const { code, err } = await runWith(['serve', '--host', '0.0.0.0', '--port', '0'], { cwd })
  assert.equal(code, 2)
  assert.match(err, /--public-url URL/)
  const env = { WORLD_HOST: '::', WORLD_PORT: '0' }
  assert.equal((await runWith(['serve'], { cwd, env })).code, 2)
  const bad = await runWith(['serve', '--public-url', 'https://sol.example/path'], { cwd, env })
  assert.equal(bad.code, 2)
  assert.match(bad.err, /publicUrl/)
})

test('a port in use is reported with advice before anything is loaded', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'sources: [moons.ndjson]\n',
    'moons.ndjson': '{"type":"sol:moon","id":"io"}\n',
  })
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const { code, err } = await runWith(['serve', '--port', `${port}`], { cwd })
  assert.equal(code, 1)
  assert.match(err, new RegExp(`Port ${port} is in use.*--port`))
  assert.doesNotMatch(err, /1 new/)
  const metrics = await runWith(['serve', '--port', '0', '--admin-port', `${port}`], { cwd })
  assert.match(metrics.err, new RegExp(`Port ${port} is in use.*--admin-port`))
  assert.doesNotMatch(metrics.err, /1 new/)
})

test('an invalid path for the retired API is refused', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: Sol\n' })
  for (const path of ['foo', '/', '//x', '/a?b']) {
    const { code, err } = await runWith(['serve', '--port', '0', '--retired-api-paths', path], { cwd })
    assert.equal(code, 2, path)
    assert.match(err, /retiredApiPaths are paths such as \/api\/world\/old/)
  }
})

test('a public URL with a path is refused with the two ways out', async (t) => {
  const url = 'https://museum.example/collections/'
  const cwd = await folderOf(t, { 'world.yaml': `publicUrl: ${url}\n` })
  for (const flags of [[], ['--public-url', url]]) {
    const { code, err } = await runWith(['serve', '--port', '0', ...flags], { cwd })
    assert.equal(code, 2)
    assert.match(err, /collections\/ has a path\. A world needs a host name of its own: .*such as https:/)
    assert.match(
      err,
      / --public-url https:\/\/museum.example --api-url https:\/\/museum.example\/collections\/api\. /,
    )
  }
})

test('a faulty definition is refused, and so is the store of a different world', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'id: urn:x:1\nnmae: Sol\n' })
  const faulty = await runWith(['serve', '--port', '0'], { cwd })
  assert.equal(faulty.code, 1)
  assert.match(faulty.err, /world\.yaml:2: \/nmae is unknown/)
  await writeFile(join(cwd, 'world.yaml'), 'id: urn:x:1\n')
  await (await serving(t, cwd, '--workers', '1')).stop()
  await writeFile(join(cwd, 'world.yaml'), 'id: urn:x:2\n')
  const other = await runWith(['serve', '--port', '0'], { cwd })
  assert.equal(other.code, 1)
  assert.match(other.err, /urn:x:2.*urn:x:1/)
})

test('serving a data file fails with advice on how to create a definition', async (t) => {
  const cwd = await folderOf(t, {
    'books.csv': 'id,title\n1,"Dune\n',
    'books.json': '\n[{"id":"1"}]',
    'books.ndjson.gz': '',
    'bad.yaml': 'a: "b" c\n'.repeat(100),
  })
  for (const [name, what] of [
    ['books.csv', 'a table'],
    ['books.json', 'data'],
    ['books.ndjson.gz', 'data'],
  ] as const) {
    const { code, err } = await runWith(['serve', name], { cwd })
    const said = `error: ${name} is ${what}. Make a definition of it with: npx worldwright init ${name}\n`
    assert.deepEqual([code, err], [2, said])
  }
  const lines = (await runWith(['serve', 'bad.yaml'], { cwd })).err.trimEnd().split('\n')
  assert.equal(lines.length, 21)
  assert.match(lines[20] ?? '', /^error: … and \d+ more$/)
  const { err } = await runWith(['serve', 'nowhere'], { cwd })
  assert.equal(err, `error: ${join(cwd, 'nowhere')}: there is no such file or folder\n`)
})
