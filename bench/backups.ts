/**
 * Makes backups while entities are written one by one: `node --conditions=@worldwright/source bench/backups.ts [TIMES]`.
 * Each must hold every write up to one moment, and none after it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { backupStore, openSqliteStorage, restoreStore } from '@worldwright/server/sqlite'

const times = Number(process.argv[2] ?? 100)
const folder = mkdtempSync(join(tmpdir(), 'world-backups-'))
const storage = openSqliteStorage(join(folder, 'x.db'))
let written = 0
let exact = 0

async function write(): Promise<void> {
  const id = String(written).padStart(8, '0')
  await storage.write([{ put: { type: 'chaos:write', id, attributes: { text: 'x'.repeat(1_000) } } }])
  written += 1
}

try {
  while (written < 2_000) await write()
  for (let round = 0; round < times; round++) {
    const before = written
    let copying = true
    const copy = backupStore(join(folder, 'x.db'), join(folder, 'x.backup')).finally(() => {
      copying = false
    })
    while (copying) {
      await write()
      await turn()
    }
    await copy
    const { entities } = await restoreStore(join(folder, 'x.backup'), join(folder, 'y.db'))
    const restored = openSqliteStorage(join(folder, 'y.db'))
    const last = await restored.get('chaos:write', String(entities - 1).padStart(8, '0'))
    if (last !== undefined && entities >= before && entities <= written) exact += 1
    await restored.close()
    for (const name of ['x.backup', 'y.db', 'y.db-wal', 'y.db-shm'])
      rmSync(join(folder, name), { force: true })
  }
} finally {
  await storage.close()
  rmSync(folder, { recursive: true })
}
process.stdout.write(`${JSON.stringify({ backups: times, exact, written })}\n`)
