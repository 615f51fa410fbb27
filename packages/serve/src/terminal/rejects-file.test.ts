import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderOf } from '../../../cli/src/serving.fixture.ts'
import { createRejectsFile } from './rejects-file.ts'

const REJECTION = { source: 'moons.csv', line: 2, faults: [] }

test('a rejects file exists only after a load that rejected records', async (t) => {
  const path = join(await folderOf(t, {}), 'rejects')
  const first = createRejectsFile(path)
  first.note(REJECTION)
  first.loaded()
  assert.equal(await readFile(path, 'utf8'), '{"source":"moons.csv","line":2,"faults":[]}\n')
  const failed = createRejectsFile(path)
  failed.close()
  assert.ok(existsSync(path), 'what is in the store is still what was loaded before')
  createRejectsFile(path).loaded()
  assert.ok(!existsSync(path))
})

test('a new rejects file replaces the previous one', async (t) => {
  const path = join(await folderOf(t, {}), 'rejects')
  for (const count of [1_200, 700]) {
    const list = createRejectsFile(path)
    for (let line = 1; line <= count; line++) list.note({ ...REJECTION, line })
    list.loaded()
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    assert.deepEqual([lines.length, JSON.parse(lines.at(-1) ?? '').line], [count, count])
  }
})

test('a file that is not a rejects file is neither overwritten nor deleted', async (t) => {
  const data = '{"source":"x","id":"io"}\n'
  const folder = await folderOf(t, { 'moons.csv': 'id\nio\n', 'moons.ndjson': data, empty: '' })
  for (const name of ['moons.csv', 'moons.ndjson']) {
    const refused = { name: 'UsageFault', message: /--rejects FILE/ }
    assert.throws(() => createRejectsFile(join(folder, name)), refused)
  }
  assert.throws(() => createRejectsFile(folder), { name: 'UsageFault' })
  assert.throws(() => createRejectsFile(join(folder, 'no/rejects')), { name: 'UsageFault' })
  createRejectsFile(join(folder, 'empty')).loaded()
  assert.ok(existsSync(join(folder, 'empty')))
})
