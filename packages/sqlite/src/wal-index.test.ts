import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readlinkSync, readSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { rounds } from '../../../test/rounds.ts'
import { planet, put } from '../../core/src/store/suite-data.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

const READS = rounds(100_000, 1_000_000)

/** Runs a program in another process, where `store` is open at `path`, until the test ends. */
async function beside(t: TestContext, path: string, lines: string): Promise<void> {
  const program = `
    import { openSync, writeSync } from 'node:fs'
    import { DatabaseSync } from 'node:sqlite'
    import { openSqliteStore } from ${JSON.stringify(import.meta.resolve('./open.ts'))}
    const path = ${JSON.stringify(path)}
    const store = openSqliteStore(path)
    process.on('disconnect', () => process.exit())
    // On a busy machine the lock can be taken for longer than a write waits for it.
    async function patiently(work) {
      try {
        return await work()
      } catch (error) {
        if (error.code === 'busy') return patiently(work)
        throw error
      }
    }
    process.send('ready')
    ${lines}`
  const child = spawn(
    process.execPath,
    ['--conditions=@worldwright/source', '--input-type=module', '--eval', program],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  t.after(async () => {
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
  })
  await once(child, 'message')
}

function numberOf(version: string): number {
  return Number(/(\d+)-\d+$/.exec(version)?.[1])
}

test('no version is older than a completed write of another process', async (t) => {
  const folder = temporaryFolder()
  const path = folder.file('world.db')
  const store = openSqliteStore(path)
  t.after(() => store.close())
  await put(store, planet('first'))
  const before = numberOf(String(store.version()))
  const noted = folder.file('noted')
  writeSync(openSync(noted, 'w'), Buffer.alloc(8))
  for (const writer of [0, 1])
    await beside(
      t,
      path,
      `const noted = openSync(${JSON.stringify(noted)}, 'r+')
       for (let count = 1; ; count++) {
         await patiently(() => store.write([{ put: { type: 'sol:planet', id: 'p${writer}', attributes: { count } } }]))
         const bytes = Buffer.alloc(4)
         bytes.writeUInt32LE(count)
         writeSync(noted, bytes, 0, 4, ${writer * 4})
         if (count % 7 === 0) await new Promise((resume) => setTimeout(resume, 1))
       }`,
    )
  t.after(() => folder.remove())
  const descriptor = openSync(noted, 'r')
  const returned = Buffer.alloc(8)
  const seen = new Set<number>()
  for (let count = 0; count < READS; count++) {
    readSync(descriptor, returned, 0, 8, 0)
    const least = before + returned.readUInt32LE(0) + returned.readUInt32LE(4)
    const number = numberOf(String(store.version()))
    if (number < least) assert.fail(`version ${number}, though ${least} writes had returned`)
    seen.add(number)
    // Yields to other processes and timers.
    if (count % 50_000 === 0) await new Promise((resume) => setTimeout(resume, 5))
  }
  t.diagnostic(`${seen.size} versions in ${READS} reads`)
  assert.ok(seen.size > 20, `${seen.size} versions`)
})

test('a snapshot is not affected by checkpoints of another process', async (t) => {
  const folder = temporaryFolder()
  const path = folder.file('world.db')
  const store = openSqliteStore(path)
  t.after(() => store.close())
  const ids = Array.from({ length: 100 }, (_, index) => `p${index}`)
  const write = `store.write(ids.map((id) => ({ put: { type: 'sol:planet', id, attributes: { text: 'x'.repeat(length) } } })))`
  await put(store, ...ids.map((id) => planet(id, { attributes: { text: 'x'.repeat(1_000) } })))
  for (let count = 0; count < 3; count++) store.version()
  const reader = new DatabaseSync(path, { readOnly: true })
  t.after(() => reader.close())
  // With a minimal cache, each look reads the file, and also the log if the snapshot requires it.
  reader.exec('PRAGMA cache_size = 1; BEGIN')
  const look = () => reader.prepare('SELECT count(*) AS n, sum(length(json)) AS length FROM entities').get()
  const before = look()
  await beside(
    t,
    path,
    `const sql = new DatabaseSync(path)
     const ids = ${JSON.stringify(ids)}
     for (let length = 1_001; ; length++) {
       await patiently(() => ${write})
       sql.exec('PRAGMA wal_checkpoint(RESTART)')
       await new Promise((resume) => setTimeout(resume, 1))
     }`,
  )
  t.after(() => folder.remove())
  for (let round = 0; round < 20; round++) {
    const other = openSqliteStore(path, { readOnly: round % 2 === 0 })
    for (let count = 0; count < 3; count++) other.version()
    other.close()
    await new Promise((resume) => setTimeout(resume, 20))
    assert.deepEqual(look(), before)
  }
  reader.exec('COMMIT')
  assert.notDeepEqual(look(), before)
  assert.equal(reader.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok')
})

test('a descriptor is closed after the last connection has removed the files', (t) => {
  if (process.platform !== 'linux') return t.skip('not run: this machine has no descriptors as Linux has')
  const held = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return /-shm(?: \(deleted\))?$/.test(readlinkSync(`/proc/self/fd/${fd}`))
      } catch {
        return false
      }
    }).length
  const before = held()
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  for (let count = 0; count < 50; count++) {
    const store = openSqliteStore(folder.file(`${count}.db`))
    store.version()
    store.version()
    store.close()
  }
  // The last descriptor is closed only when the next one is opened.
  assert.ok(held() <= before + 1, `${held()} descriptors, ${before} before`)
})
