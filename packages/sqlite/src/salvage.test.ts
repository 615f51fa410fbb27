import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import type { StoredEntity } from '../../core/src/store/contract.ts'
import { planet, put } from '../../core/src/store/suite-data.ts'
import { dice } from '../../search/src/reference/random.fixture.ts'
import { openSqliteStore } from './open.ts'
import { type SalvageReport, salvageEntities } from './salvage.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

test('all current entities of a sound store are salvaged, including those in the log', async (t) => {
  const { file, entities } = await filledStore(t)
  const { saved, report } = salvaged(file)
  assert.deepEqual(saved, entities)
  assert.deepEqual(report, { ...NOTHING_MISSING, saved: entities.size })
})

test('salvaging a damaged store saves only entities as written, and reports the others', async (t) => {
  const { file, entities } = await filledStore(t)
  const [sound, log] = [readFileSync(file), readFileSync(`${file}-wal`)]
  let missing = 0
  for (let seed = 1; seed <= 20; seed++) {
    const roll = dice(seed)
    const bytes = Buffer.from(sound)
    const at = roll(bytes.length)
    // Zeroes a block, changes some bytes, or overwrites the first page, which leads to everything else.
    const kind = roll(3)
    if (kind === 0) bytes.fill(0, at, at + 4_096)
    else if (kind === 1) for (let count = 0; count < 20; count++) bytes[roll(bytes.length)] = roll(256)
    else bytes.fill(roll(256), 0, 200)
    writeFileSync(file, bytes)
    const { saved, report } = salvaged(file)
    for (const [key, json] of saved) assert.equal(json, entities.get(key))
    assert.ok(saved.size > entities.size / 2)
    if (saved.size < entities.size) {
      missing += 1
      assert.ok(report.damaged + report.lost + report.unreadable + report.damagedPages.length > 0)
    }
    assert.deepEqual([readFileSync(file), readFileSync(`${file}-wal`)], [bytes, log])
  }
  assert.ok(missing > 3)
})

test('the remaining entities of a truncated file or a damaged log are salvaged', async (t) => {
  const { file, entities } = await filledStore(t)
  const log = readFileSync(`${file}-wal`)
  log[Math.floor(log.length / 2)] = ~(log[Math.floor(log.length / 2)] ?? 0) & 0xff
  writeFileSync(`${file}-wal`, log)
  const { saved, report } = salvaged(file)
  assert.ok((report.logDamagedAt ?? 0) > 0 && (report.logDamagedAt ?? 0) <= log.length / 2)
  for (const json of saved.values()) assert.doesNotThrow(() => JSON.parse(json))
  assert.ok(saved.size > 0 && saved.size <= entities.size + 1)
  writeFileSync(`${file}-wal`, '')
  const whole = salvaged(file).saved.size
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.subarray(0, Math.floor(0.7 * bytes.length)))
  assert.ok(salvaged(file).saved.size < whole)
})

const NOTHING_MISSING = {
  damaged: 0,
  damagedExamples: [],
  lost: 0,
  lostExamples: [],
  unreadable: 0,
  damagedPages: [],
  pageBytes: 8_192,
  logDamagedAt: undefined,
}

/** Creates a store of short and long entities. Some are replaced or deleted, and the last writes are only in the log. */
async function filledStore(t: TestContext) {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const served = folder.file('served.db')
  const file = folder.file('world.db')
  const first = openSqliteStore(served)
  const ids = Array.from({ length: 600 }, (_, at) => `p${at}`)
  const long = (at: number) => 'Lorem ipsum '.repeat(at % 50 === 0 ? 3_000 : at % 40)
  await put(first, ...ids.map((id, at) => planet(id, { title: `Planet ${at}`, summary: long(at) })))
  for (const id of ids.slice(0, 60)) await first.write([{ delete: { type: 'sol:planet', id } }])
  // Closing the store checkpoints the log.
  first.close()
  const store = openSqliteStore(served)
  await put(store, ...ids.slice(60, 90).map((id) => planet(id, { title: 'Another title' })))
  await put(store, planet('new', { title: 'New' }))
  for (const suffix of ['', '-wal']) copyFileSync(served + suffix, file + suffix)
  const page = await store.list('sol:planet', { limit: 1_000 })
  store.close()
  return { file, entities: new Map(page.entities.map(({ id, json }) => [id, json])) }
}

function salvaged(file: string): { saved: ReadonlyMap<string, string>; report: SalvageReport } {
  const found: StoredEntity[] = []
  const entities = salvageEntities(file)
  let next = entities.next()
  for (; !next.done; next = entities.next()) found.push(next.value)
  const ordered = found.toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const saved = new Map(ordered.map(({ id, json }) => [id, json]))
  assert.equal(saved.size, found.length)
  return { saved, report: next.value }
}
