import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Ran, runWith } from '../memory-io.fixture.ts'
import { entitiesOf, type MirroredWorld, mirroredWorld, mirrorIn } from '../mirror/mirror.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

const IDS = Array.from({ length: 2_500 }, (_, count) => `moon-${String(count).padStart(4, '0')}`)

/** Runs a mirror and interrupts it at request number `last`. */
async function interrupted(
  world: MirroredWorld,
  cwd: string,
  last: number,
): Promise<Ran & { asked: string[] }> {
  const ending = new AbortController()
  const asked: string[] = []
  const counting: typeof fetch = async (url, init) => {
    asked.push(String(url))
    if (asked.length === last) ending.abort()
    return fetch(url, init)
  }
  const ran = await runWith(['mirror', world.url, 'sol'], { cwd, fetch: counting, signal: ending.signal })
  return { ...ran, asked }
}

for (const changes of [true, false]) {
  test(`an interrupted mirror exposes no partial state and resumes, ${changes ? 'by changes' : 'by lists'}`, async (t) => {
    const world = await mirroredWorld(t, { changes })
    const cwd = await folderOf(t, {})
    const folder = join(cwd, 'sol')
    await world.put('Moon', ...IDS)
    let before: string[] = []
    for (const round of [1, 2]) {
      const pages = new Set<string>()
      let last = 0
      for (;;) {
        const { code, asked, err } = await interrupted(world, cwd, ++last)
        for (const url of asked.slice(1, -1)) {
          // A stored page of changes is not requested again, only the end of the log. A stored list page is revalidated.
          if (changes && !url.includes('since=now')) assert.ok(!pages.has(url), `${url} again in run ${last}`)
          pages.add(url)
        }
        if (code === 0) break
        const { names, entities } = await mirrorIn(folder)
        assert.deepEqual([names.includes('world.json'), entities.length], [round === 2, before.length], err)
        assert.deepEqual(entities, before)
      }
      before = (await mirrorIn(folder)).entities
      assert.deepEqual(before, await entitiesOf(world.store))
      await world.put('New', ...IDS.slice(0, 1_500))
      await world.remove(...IDS.slice(2_000, 2_010))
    }
  })
}

test('killing a mirror process leaves no partial mirror, and a later run completes the mirror', async (t) => {
  const world = await mirroredWorld(t)
  const cwd = await folderOf(t, {})
  const folder = join(cwd, 'sol')
  await world.put('Moon', ...IDS)
  for (const bytes of [1, 50_000]) {
    await killedAfter(t, world, cwd, bytes)
    assert.deepEqual((await mirrorIn(folder)).entities, [])
  }
  assert.equal((await runWith(['mirror', world.url, 'sol'], { cwd })).code, 0)
  const first = await entitiesOf(world.store)
  await world.put('New', ...IDS)
  await killedAfter(t, world, cwd, 50_000)
  const { entities } = await mirrorIn(folder)
  assert.deepEqual(entities, first)
  assert.equal((await runWith(['mirror', world.url, 'sol'], { cwd })).code, 0)
  assert.deepEqual((await mirrorIn(folder)).entities, await entitiesOf(world.store))
})

/** Kills a mirror process once it has received this many bytes. */
async function killedAfter(t: TestContext, world: MirroredWorld, cwd: string, bytes: number): Promise<void> {
  const main = join(import.meta.dirname, '../main.ts')
  const argv = ['--conditions=@worldwright/source', main, 'mirror', world.url, 'sol']
  const before = world.bytes()
  const mirroring = spawn(process.execPath, argv, { cwd, stdio: 'ignore' })
  t.after(() => mirroring.kill('SIGKILL'))
  const ended = once(mirroring, 'exit')
  while (world.bytes() - before < bytes) {
    assert.equal(mirroring.exitCode, null, 'it ended before it was killed')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  mirroring.kill('SIGKILL')
  assert.deepEqual(await ended, [null, 'SIGKILL'])
}
