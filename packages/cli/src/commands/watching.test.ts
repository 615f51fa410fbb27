import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { IS_THOROUGH } from '../../../../test/rounds.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MOONS = '{"type":"sol:moon","id":"europa"}\n{"type":"sol:moon","id":"io"}\n'

/** Worker counts to test: a change must take effect in every process. */
const FRONTS = IS_THOROUGH ? ['1', '2'] : ['1']

for (const workers of FRONTS)
  test(`a served world reloads a changed source (workers: ${workers})`, async (t) => {
    const world = await serving(
      t,
      await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS }),
      '--workers',
      workers,
    )
    assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io'])
    await writeFile(
      join(world.cwd, 'moons.ndjson'),
      '{"type":"sol:moon","id":"io"}\n{"type":"sol:moon","id":"thebe"}\n',
    )
    await world.until(/Loaded again/)
    assert.deepEqual(await world.ids('sol:moon'), ['io', 'thebe'])
  })

for (const workers of FRONTS)
  test(`a broken file is reported with a line number and does not change the served data (workers: ${workers})`, async (t) => {
    const world = await serving(
      t,
      await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS }),
      '--workers',
      workers,
    )
    await writeFile(join(world.cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n{"type":"sol:moon",\n')
    const before = await world.until(/NOT LOADED[\s\S]*moons\.ndjson:2 .*\n/)
    assert.match(before, /moons\.ndjson:2 malformed: not JSON/)
    assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io'])
    await writeFile(join(world.cwd, 'world.yaml'), 'sources: [moons.ndjson]\nnmae: Sol\n')
    await world.until(/NOT LOADED[\s\S]*world\.yaml:2: \/nmae is unknown/)
    assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io'])
    await writeFile(join(world.cwd, 'world.yaml'), 'sources: [moons.ndjson]\nname: Sol\n')
    await writeFile(join(world.cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n')
    await world.until(/Loaded again/)
    assert.deepEqual(await world.ids('sol:moon'), ['io'])
    const { world: described } = JSON.parse((await runWith(['show', world.url, '--json'])).out)
    assert.equal(described.name, 'Sol')
  })

const ITEMS = `name: Shop
types:
  - type: shop:item
    schema: { type: object, properties: { price: { type: number }, note: { type: string } }, required: [price] }
sources: [{ file: items.csv, type: shop:item, id: id }]
`

test('a reload says which columns are new, and why none can be queried, or are gone', async (t) => {
  const items = 'id,price\na,1\nb,2\n'
  const world = await serving(t, await folderOf(t, { 'world.yaml': ITEMS, 'items.csv': items }))
  await writeFile(join(world.cwd, 'items.csv'), 'id,price,colour\na,1,red\nb,2,blue\n')
  const added = await world.until(/Loaded again/)
  assert.match(
    added,
    /items\.csv: the schema of shop:item lacks colour: served, but not queryable until its properties name it\. If a column was renamed: no record has note\.\n/,
  )
  await writeFile(join(world.cwd, 'items.csv'), 'id,cost\na,1\nb,2\n')
  const renamed = await world.until(/NOT LOADED[\s\S]*price required.*\n/)
  assert.match(
    renamed,
    /2 records rejected\. items\.csv: price is gone, cost is new; the file and the schema of shop:item must have the same names:\n/,
  )
  assert.equal(renamed.split('price is gone').length, 2)
})

for (const workers of FRONTS)
  test(`entities written over HTTP survive a reload (workers: ${workers})`, async (t) => {
    const definition = 'operator: true\nsources: [moons.ndjson]\n'
    const world = await serving(
      t,
      await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': MOONS }),
      '--workers',
      workers,
    )
    const { out: token } = await runWith(['token', 'create', '--scope', 'write'], { cwd: world.cwd })
    const written = await fetch(`${world.url}/api/operator/v0/entities/sol%3Amoon/thebe`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
      body: '{"attributes":{}}',
    })
    assert.equal(written.status, 201)
    await writeFile(join(world.cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n')
    await world.until(/Loaded again/)
    assert.deepEqual(await world.ids('sol:moon'), ['io', 'thebe'])
  })

for (const workers of FRONTS)
  test(`a private world requires a token and refuses a revoked one (workers: ${workers})`, async (t) => {
    const world = await serving(
      t,
      await folderOf(t, {
        'world.yaml': 'private: true\nsources: [moons.ndjson]\n',
        'moons.ndjson': MOONS,
      }),
      '--workers',
      workers,
    )
    const list = ['list', world.url, 'sol:moon']
    assert.match((await runWith(list)).err, /unauthenticated/)
    const { out } = await runWith(['token', 'create', '--json'], { cwd: world.cwd })
    const { token, id } = JSON.parse(out)
    assert.equal((await runWith([...list, '--token', token])).code, 0)
    assert.equal((await runWith(['token', 'revoke', id], { cwd: world.cwd })).code, 0)
    assert.match((await runWith([...list, '--token', token])).err, /unauthenticated/)
  })

test('a database source is reloaded at its refresh interval', async (t) => {
  const source = '{ sqlite: moons.db, table: moons, type: sol:moon, refresh: 1s }'
  const folder = await folderOf(t, { 'world.yaml': `watch: false\nsources: [${source}]\n` })
  const database = new DatabaseSync(join(folder, 'moons.db'))
  t.after(() => database.close())
  database.exec("CREATE TABLE moons (id TEXT PRIMARY KEY); INSERT INTO moons VALUES ('io'), ('europa')")
  const world = await serving(t, folder, '--workers', '1')
  assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io'])
  database.exec("INSERT INTO moons VALUES ('thebe')")
  await world.until(/Loaded again/)
  assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io', 'thebe'])
  database.exec('ALTER TABLE moons RENAME TO others')
  const said = await world.until(/NOT LOADED[\s\S]*there is no table "moons"/)
  assert.doesNotMatch(said, /have not changed/)
  assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io', 'thebe'])
})

test('invalid settings are reported before anything is reloaded', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  const world = await serving(t, cwd, '--workers', '1')
  for (const bad of ['publicUrl: https://sol.example/path', 'host: 0.0.0.0']) {
    await writeFile(join(cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n')
    await writeFile(join(cwd, 'world.yaml'), `sources: [moons.ndjson]\n${bad}\n`)
    await world.until(/NOT LOADED[\s\S]*publicUrl|NOT LOADED[\s\S]*--public-url/)
    assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io'], bad)
  }
})

test('truncating a source file does not delete the entities that are now missing from it', async (t) => {
  const ids = Array.from({ length: 300 }, (_, index) => `m${index}`)
  const rows = (count: number) => ['id', ...ids.slice(0, count), ''].join('\n')
  const definition = (name: string) => `name: ${name}\nsources:\n  - {file: moons.csv, type: sol:moon}\n`
  const cwd = await folderOf(t, { 'world.yaml': definition('Sol'), 'moons.csv': rows(300) })
  const world = await serving(t, cwd, '--workers', '1')
  await writeFile(join(cwd, 'moons.csv'), rows(239))
  const said = await world.until(/NOT LOADED[\s\S]*start again.*\n/)
  assert.match(said, /sol:moon: the sources hold 239 entities, and 300 are served/)
  assert.equal((await world.ids('sol:moon')).length, 300)
  await writeFile(join(cwd, 'moons.csv'), rows(241))
  await world.until(/241 unchanged, 59 deleted[\s\S]*Loaded again/)
  await writeFile(join(cwd, 'world.yaml'), definition('Sol').replace('sol:moon', 'sol:satellite'))
  await world.until(/241 new, 0 changed, 0 unchanged, 241 deleted[\s\S]*Loaded again/)
  const slip = `${definition('Sol')}types: [{type: sol:moon}]\n`.replace(
    'type: sol:moon}',
    'type: sol:mooon}',
  )
  await writeFile(join(cwd, 'world.yaml'), slip)
  await world.until(/warning: the sources fill sol:mooon, which is not among the types/)
})

test('faults in a source that is large enough to be loaded in a thread are reported', async (t) => {
  const rows = Array.from({ length: 1_200 }, (_, index) => `m${index},${'rock '.repeat(200)}`)
  const table = ['id,summary', ...rows].join('\n')
  assert.ok(table.length > 1_048_576)
  const definition = 'sources:\n  - {file: moons.csv, type: sol:moon}\n'
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.csv': `${table}\n` })
  const world = await serving(t, cwd, '--workers', '1')
  assert.match(world.greeting, /1,200 new/)
  await writeFile(join(cwd, 'moons.csv'), `${table}\n,nameless\n`)
  const said = await world.until(/NOT LOADED[\s\S]*moons\.csv:1202 .*\n/)
  assert.match(said, /1 record rejected/)
  await writeFile(join(cwd, 'moons.csv'), `${table}\nlast,one\n`)
  await world.until(/1 new, 0 changed, 1,200 unchanged[\s\S]*Loaded again/)
  assert.equal((await world.ids('sol:moon')).length, 1_201)
})

test('the store and its rejects file can be in a source folder', async (t) => {
  const definition = 'store: sqlite:data/world.db\nsources:\n  - {file: data, type: sol:moon}\n'
  const cwd = await folderOf(t, { 'world.yaml': definition })
  await mkdir(join(cwd, 'data'))
  await writeFile(join(cwd, 'data/moons.csv'), 'id,n\nio,1\n"",2\n')
  const world = await serving(t, cwd, '--workers', '1')
  assert.match(world.greeting, /1 record rejected/)
  await writeFile(join(cwd, 'data/moons.csv'), 'id,n\nio,1\neuropa,2\n')
  assert.doesNotMatch(await world.until(/Loaded again/), /NOT LOADED/)
  assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io'])
})

test('a changed source does not recreate a deleted store', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  const world = await serving(t, cwd, '--workers', '1')
  await rename(join(cwd, 'world.db'), join(cwd, 'away.db'))
  await writeFile(join(cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n')
  await world.until(/NOT LOADED: the store.*\n.*world\.db is gone.*\n/)
  assert.equal(existsSync(join(cwd, 'world.db')), false)
  assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io'])
})

test('the last log line of a reload reports what was not loaded', async (t) => {
  const definition = 'operator: true\nsources: [moons.ndjson]\n'
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': `${MOONS}{\n` })
  const world = await serving(t, cwd, '--workers', '1')
  await writeFile(join(cwd, 'moons.ndjson'), '{\n{"type":"sol:moon","id":"io"}\n')
  await world.until(
    /^Loaded again, except that 1 record is left out as bad; 1 entity that the sources do not hold stays\.\n/m,
  )
  await writeFile(join(cwd, 'world.yaml'), `name: Sol\n${definition}`)
  await world.until(/^The sources have not changed since they were loaded\.\n/m)
  await runWith(['import', '-', '--store', 'sqlite:world.db'], {
    cwd,
    stdin: (async function* () {
      yield Buffer.from('{"type":"sol:moon","id":"thebe"}\n')
    })(),
  })
  await writeFile(join(cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"thebe","title":"Thebe"}\n')
  await world.until(/^Loaded again, except that 1 entity stays as others wrote it\.\n/m)
  assert.deepEqual(await world.ids('sol:moon'), ['thebe'])
})

test('links and cursors of a renamed type fail with unknown_type', async (t) => {
  const definition = (type: string) => `sources:\n  - {file: moons.csv, type: '${type}'}\n`
  const files = { 'world.yaml': definition('sol:moon'), 'moons.csv': 'id\nio\neuropa\n' }
  const world = await serving(t, await folderOf(t, files), '--workers', '2')
  const read = async (target: string) => {
    const response = await fetch(`${world.url}/api/world/v0/entities/${target}`)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const { nextCursor } = (await read('sol%3Amoon?limit=1')).body
  await writeFile(join(world.cwd, 'world.yaml'), definition('sol:satellite'))
  await world.until(/Loaded again/)
  const { entityTypes } = JSON.parse((await runWith(['show', world.url, '--json'])).out)
  assert.deepEqual(
    entityTypes.map(({ type }: { type: string }) => type),
    ['sol:satellite'],
  )
  for (const target of ['sol%3Amoon', `sol%3Amoon?cursor=${nextCursor}`, 'sol%3Amoon/io']) {
    const { status, body } = await read(target)
    assert.deepEqual([status, body['code']], [404, 'unknown_type'], target)
  }
})

test('a store served without its definition keeps its loaded entities', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  await (await serving(t, cwd, '--workers', '1')).stop()
  const alone = await serving(t, await folderOf(t, {}), '--store', `sqlite:${join(cwd, 'world.db')}`)
  assert.deepEqual(await alone.ids('sol:moon'), ['europa', 'io'])
})
