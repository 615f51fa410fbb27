import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

test('a store is copied to another URL, and says by its content hash that it is the same', async (t) => {
  const cwd = await folderOf(t, { 'books.ndjson': '{"type":"b:book","id":"1"}\n' })
  await runWith(['import', 'books.ndjson', '--store', 'sqlite:one.db'], { cwd })
  const copied = await runWith(['copy', 'sqlite:one.db', 'sqlite:two.db', '--json'], { cwd })
  assert.equal(copied.code, 0, copied.err)
  assert.match(copied.err, /^Copied 1 entity to .*two\.db\.\nContent hash [0-9a-f]{64}\n$/)
  const { entities, contentHash } = JSON.parse(copied.out)
  for (const name of ['one', 'two']) {
    const verified = await runWith(['verify', '--store', `sqlite:${name}.db`, '--json'], { cwd })
    assert.equal(JSON.parse(verified.out).contentHash, contentHash)
  }
  assert.equal(entities, 1)
})

test('a store that is not there is not copied, and one that is there is not copied over', async (t) => {
  const cwd = await folderOf(t, { 'books.ndjson': '{"type":"b:book","id":"1"}\n' })
  await runWith(['import', 'books.ndjson', '--store', 'sqlite:one.db'], { cwd })
  const missing = await runWith(['copy', 'sqlite:none.db', 'sqlite:two.db'], { cwd })
  assert.deepEqual([missing.code, /There is no store .*none\.db\./.test(missing.err)], [2, true])
  const again = await runWith(['copy', 'sqlite:one.db', 'sqlite:one.db'], { cwd })
  assert.deepEqual([again.code, /Nothing is ever written over it/.test(again.err)], [1, true])
  const unread = await runWith(['copy', 'one.db', 'sqlite:two.db'], { cwd })
  assert.deepEqual([unread.code, /A store is written sqlite:FILE/.test(unread.err)], [2, true])
  assert.equal(existsSync(join(cwd, 'two.db')), false)
})
