import assert from 'node:assert/strict'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { beginToFollow, createMemoryStore, positionNow } from '@worldwright/core/store'
import { runWith } from '../memory-io.fixture.ts'
import { entitiesOf, mirroredWorld, mirrorIn } from '../mirror/mirror.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MANY = Array.from({ length: 3_000 }, (_, count) => `moon-${String(count).padStart(4, '0')}`)

/** Returns an entity without its timestamps, which each store sets itself. */
function untimed(entity: unknown): object {
  const { createdAt: _, updatedAt: __, ...members } = Object(entity)
  return members
}

for (const changes of [true, false]) {
  const kind = changes ? 'a world that says its changes' : 'a world of lists alone'

  test(`${kind} is mirrored as files, and later runs update them`, async (t) => {
    const world = await mirroredWorld(t, { changes })
    const cwd = await folderOf(t, {})
    await world.put('Moon', ...MANY)
    const first = await runWith(['mirror', world.url, 'sol'], { cwd })
    assert.equal(first.code, 0, first.err)
    assert.match(first.err, /3,000 entities, 3,000 new, 0 changed, 0 deleted/)
    const folder = join(cwd, 'sol')
    assert.deepEqual((await mirrorIn(folder)).entities, await entitiesOf(world.store))
    const whole = world.bytes()

    const same = await runWith(['mirror', world.url, 'sol'], { cwd })
    assert.match(same.err, /3,000 entities, 0 new, 0 changed, 0 deleted/)
    assert.ok(world.bytes() - whole < 20_000, `${world.bytes() - whole} bytes`)

    const before = world.bytes()
    await world.put('New', 'new-moon', 'moon-0007')
    await world.remove('moon-0001', 'moon-0002')
    const second = await runWith(['mirror', world.url, 'sol', '--json'], { cwd })
    const { created, changed, deleted, entities } = JSON.parse(second.out)
    assert.deepEqual(
      { created, changed, deleted, entities },
      { created: 1, changed: 1, deleted: 2, entities: 2_999 },
    )
    const mirror = await mirrorIn(folder)
    assert.deepEqual(mirror.entities, await entitiesOf(world.store))
    const gone = (await mirror.lines('deletions.ndjson')).map((line) => JSON.parse(line))
    assert.deepEqual(
      gone.map(({ type, id }) => [type, id]),
      [
        ['sol:moon', 'moon-0001'],
        ['sol:moon', 'moon-0002'],
      ],
    )
    assert.ok(Date.parse(gone[0].seenAt) > 0)
    // All list pages of a changed type are sent again, because their entity tags cover the whole type.
    if (changes) assert.ok(world.bytes() - before < 20_000, `${world.bytes() - before} bytes`)
  })

  test(`a mirror of ${kind} records its origin and can be served unchanged`, async (t) => {
    const world = await mirroredWorld(t, { changes })
    const cwd = await folderOf(t, {})
    await world.put('Moon', 'io', 'europa')
    const before = Date.now()
    assert.equal((await runWith(['mirror', world.url, '.'], { cwd })).code, 0)
    const { manifest, names } = await mirrorIn(cwd)
    const all = ['discovery.json', 'mirror.json', 'sol.moon.ndjson', 'world.json']
    assert.deepEqual(names, all)
    assert.equal(manifest.origin, world.url)
    assert.deepEqual(manifest.world, { id: 'urn:example:sol', name: 'Sol' })
    assert.ok(Date.parse(manifest.mirroredAt) >= before - 1)
    if (changes) assert.equal(manifest.changes.position, await positionNow(world.store))
    else assert.match(manifest.etags['sol:moon'], /^W?\/?"/)
    const again = await serving(t, cwd)
    const one = await fetch(`${again.url}/api/world/v0/entities/sol%3Amoon/io`)
    const other = await fetch(`${world.url}/api/world/v0/entities/sol%3Amoon/io`)
    assert.deepEqual(untimed(await one.json()), untimed(await other.json()))
    const [published, read] = await Promise.all(
      [again.url, world.url].map(async (url) => {
        const document = await (await fetch(`${url}/.well-known/world.json`)).json()
        return { ...Object(document) }
      }),
    )
    assert.deepEqual(published?.world, read?.world)
    assert.deepEqual(published?.entityTypes, read?.entityTypes)
  })
}

test('a world restored from a backup is mirrored again from the start, with a notice', async (t) => {
  const store = createMemoryStore()
  const world = await mirroredWorld(t, { store })
  const cwd = await folderOf(t, {})
  await world.put('Moon', 'io', 'europa', 'gone')
  await runWith(['mirror', world.url, 'sol'], { cwd })
  const other = createMemoryStore()
  await other.write(['io', 'ganymede'].map((id) => ({ put: { type: 'sol:moon', id, attributes: {} } })))
  const { changes, versions, position, earliest } = await other.changes({ limit: 10 })
  const following = await beginToFollow(store)
  await following.add(changes)
  await following.commit({ versions: versions ?? new Map(), position, earliest, fromBeginning: true })
  const { code, err } = await runWith(['mirror', world.url, 'sol'], { cwd })
  assert.equal(code, 0, err)
  assert.match(err, /was restored.*Reading all of it again\./)
  assert.match(err, /2 entities, 1 new, 1 changed, 2 deleted/)
  assert.deepEqual((await mirrorIn(join(cwd, 'sol'))).entities, await entitiesOf(store))
})

test('mirror refuses a folder with a mirror of a different world or with other content', async (t) => {
  const world = await mirroredWorld(t)
  const other = await mirroredWorld(t, { id: 'urn:example:other' })
  const cwd = await folderOf(t, { 'note.txt': 'mine' })
  const refused = await runWith(['mirror', world.url, '.'], { cwd })
  assert.equal(refused.code, 2)
  assert.match(refused.err, /holds something other than a mirror/)
  assert.deepEqual((await mirrorIn(cwd)).names, ['note.txt'])
  await world.put('Moon', 'io')
  await runWith(['mirror', world.url, 'sol'], { cwd })
  const mismatch = await runWith(['mirror', other.url, 'sol'], { cwd })
  assert.equal(mismatch.code, 1)
  assert.match(mismatch.err, /is a mirror of urn:example:sol, and .* is urn:example:other/)
  assert.deepEqual((await mirrorIn(join(cwd, 'sol'))).entities, await entitiesOf(world.store))
})

test('a mirror whose files were edited is fetched again', async (t) => {
  const world = await mirroredWorld(t)
  const cwd = await folderOf(t, {})
  await world.put('Moon', 'io')
  await runWith(['mirror', world.url, 'sol'], { cwd })
  await appendFile(join(cwd, 'sol/sol.moon.ndjson'), '{"type":"sol:moon","id":"mine"}\n')
  const { err } = await runWith(['mirror', world.url, 'sol'], { cwd })
  assert.match(err, /are not what its mirror\.json says\. Reading all of it again\./)
  assert.deepEqual((await mirrorIn(join(cwd, 'sol'))).entities, await entitiesOf(world.store))
})

test('only one process at a time can mirror into a folder', async (t) => {
  const world = await mirroredWorld(t)
  const cwd = await folderOf(t, {})
  await runWith(['mirror', world.url, 'sol'], { cwd })
  const lock = join(cwd, 'sol/.mirror/lock')
  await writeFile(lock, '1')
  const { code, err } = await runWith(['mirror', world.url, 'sol'], { cwd })
  assert.equal(code, 2)
  assert.match(err, /Process 1 mirrors into this folder/)
  await writeFile(lock, '999999999')
  assert.equal((await runWith(['mirror', world.url, 'sol'], { cwd })).code, 0)
  await assert.rejects(readFile(lock), { code: 'ENOENT' })
})
