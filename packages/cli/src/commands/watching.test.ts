import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MOONS = '{"type":"sol:moon","id":"europa"}\n{"type":"sol:moon","id":"io"}\n'

/** What a change comes to must not depend on who answers. */
const FRONTS = ['1', '2']

for (const workers of FRONTS)
  test(`a source that changes is loaded again while its world is served (workers: ${workers})`, async (t) => {
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
  test(`a file that breaks keeps what is served, and is named with its line and reason (workers: ${workers})`, async (t) => {
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

for (const workers of FRONTS)
  test(`what was written over HTTP is not deleted because a source changes (workers: ${workers})`, async (t) => {
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
    await world.until(/sol:moon was also written by others/)
    assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io', 'thebe'])
  })

for (const workers of FRONTS)
  test(`a private world is read with a token alone, and a revoked token is over (workers: ${workers})`, async (t) => {
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

test('settings that cannot work are found out before anything is loaded', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  const world = await serving(t, cwd, '--workers', '1')
  for (const bad of ['publicUrl: https://sol.example/path', 'host: 0.0.0.0']) {
    await writeFile(join(cwd, 'moons.ndjson'), '{"type":"sol:moon","id":"io"}\n')
    await writeFile(join(cwd, 'world.yaml'), `sources: [moons.ndjson]\n${bad}\n`)
    await world.until(/NOT LOADED[\s\S]*publicUrl|NOT LOADED[\s\S]*--public-url/)
    assert.deepEqual(await world.ids('sol:moon'), ['europa', 'io'], bad)
  }
})
