import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { importAll, moon } from '../../core/src/store/suite-data.ts'
import { IndexWriter } from '../../search/src/write/index-writer.ts'
import { IndexBuild } from './index-build.ts'
import { readingsOf } from './index-from-entities.ts'
import { openSqliteStore } from './open.ts'
import { segmentStore } from './segments.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'
import { writing } from './transaction.ts'
import { verifySearchIndex } from './verify-index.ts'

test('segments that grew large are published beside the others, and replace each document once', async (t) => {
  const folder = temporaryFolder()
  const file = folder.file('a.db')
  const store = openSqliteStore(file)
  const db = new DatabaseSync(file)
  t.after(async () => {
    await store.close()
    db.close()
    folder.remove()
  })
  // More than 400,000 postings for every 5,000 entities, which make a segment of the thread.
  const words = (at: number) => Array.from({ length: 90 }, (_, word) => `w${(at * 7 + word * word) % 3_000}`)
  const moons = Array.from({ length: 25_000 }, (_, at) =>
    moon(`m${at}`, { attributes: { text: words(at).join(' ') } }),
  )
  await importAll(store, moons)

  const writer = new IndexWriter(segmentStore(db))
  const before = writer.segments()
  const build = new IndexBuild(db, writer, {}, 8_000)
  const changes = readingsOf(db)
    .filter((found) => found !== 'damaged')
    .map(({ type, id, json }) => ({ type, id, before: json, after: json }))
    .toArray()
  for (let start = 0; start < changes.length; start += 1_000)
    await build.add(changes.slice(start, start + 1_000))
  const segments = await build.finish()
  assert.ok(segments.length > 2)
  for (const { documents } of segments.slice(0, -1)) assert.ok(documents >= 8_000 && documents < 16_000)
  await writing(db, () => {
    for (const segment of segments) writer.publish(segment)
  })
  assert.equal(writer.segments().size, before.size + segments.length)
  assert.equal((await store.find({ text: 'w4', limit: 0, budgetMs: 60_000 })).total, moonsWith('w4'))
  assert.equal(verifySearchIndex(file).agrees, true)

  function moonsWith(word: string): number {
    return moons.filter((_, at) => words(at).includes(word)).length
  }
})
