/**
 * Makes backups while entities are written one by one: `node --conditions=@worldwright/source bench/backups.ts [TIMES]`.
 * Each must hold every write up to one moment, and none after it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { openStore, storeAt } from '@worldwright/server/stores'

const times = Number(process.argv[2] ?? 100)
const folder = mkdtempSync(join(tmpdir(), 'world-backups-'))
const storage = await openStore(`sqlite:${join(folder, 'x.db')}`, { role: 'owner' })
let written = 0
let exact = 0

async function write(): Promise<void> {
  const id = String(written).padStart(8, '0')
  await storage.write([{ put: { type: 'chaos:write', id, attributes: { text: 'x'.repeat(1_000) } } }])
  written += 1
}

async function copied(): Promise<void> {
  const store = await storeAt(`sqlite:${join(folder, 'x.db')}`)
  await store.backup(join(folder, 'x.backup'))
}

try {
  while (written < 2_000) await write()
  for (let round = 0; round < times; round++) {
    const before = written
    let copying = true
    const copy = copied().finally(() => {
      copying = false
    })
    while (copying) {
      await write()
      await turn()
    }
    await copy
    const copyOf = await storeAt(`sqlite:${join(folder, 'y.db')}`)
    const { entities } = await copyOf.restore(join(folder, 'x.backup'))
    const restored = await copyOf.open('owner')
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
