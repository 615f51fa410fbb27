import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderOf } from '../serving.fixture.ts'
import { MirrorFolder } from './mirror-folder.ts'

const FORMAT = 'worldwright-mirror/1'

/** Returns the content of the published files, by name. */
async function shown(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path)).filter((name) => name !== '.mirror')
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), 'utf8')])),
  )
}

test('an interrupted commit is completed by the next process', async (t) => {
  const cwd = await folderOf(t, {})
  const path = join(cwd, 'sol')
  const manifest = (number: number) => JSON.stringify({ format: FORMAT, number, types: {} })
  const first = await MirrorFolder.open(path)
  const before = { 'a.ndjson': 'a1', 'b.ndjson': 'b1', 'world.json': 'w1', 'mirror.json': manifest(1) }
  for (const [name, text] of Object.entries(before)) await writeFile(first.newFile(name), text)
  await first.commit([])
  await first.close()
  assert.deepEqual(await shown(path), before)

  const after = { 'a.ndjson': 'a2', 'c.ndjson': 'c2', 'world.json': 'w2', 'mirror.json': manifest(2) }
  const order = ['a.ndjson', 'c.ndjson', 'mirror.json', 'world.json']
  for (let done = 0; done <= order.length + 1; done++) {
    const killed = join(cwd, `killed-${done}`)
    await cp(path, killed, { recursive: true })
    const work = join(killed, '.mirror')
    await mkdir(join(work, 'new'), { recursive: true })
    for (const [name, text] of Object.entries(after)) await writeFile(join(work, 'new', name), text)
    await writeFile(join(work, 'commit.json'), JSON.stringify({ move: order, remove: ['b.ndjson'] }))
    // Simulate the steps that were completed before the process was killed.
    if (done > 0) await rm(join(killed, 'world.json'))
    for (const name of order.slice(0, Math.max(0, done - 1)))
      await rename(join(work, 'new', name), join(killed, name))
    await (await MirrorFolder.open(killed)).close()
    assert.deepEqual(await shown(killed), after, `${done}`)
  }
})

test('staged files that were not committed are discarded', async (t) => {
  const path = join(await folderOf(t, {}), 'sol')
  const first = await MirrorFolder.open(path)
  await writeFile(first.newFile('world.json'), 'half')
  await first.close()
  const second = await MirrorFolder.open(path)
  await second.commit([])
  assert.deepEqual(await shown(path), {})
  await second.close()
})
