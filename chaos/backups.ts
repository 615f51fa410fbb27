/** Makes backups while entities are written one by one. Each backup must contain exactly the writes up to one moment. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { openStore, storeAt } from '@worldwright/engines'
import { type Effort, type Finding, finding } from './fault.ts'

/** Runs the fault with 100 backups, or 5 in a short run. */
export async function backups({ short }: Effort): Promise<Finding> {
  const times = short ? 5 : 100
  const folder = mkdtempSync(join(tmpdir(), 'world-backups-'))
  const location = await storeAt(`sqlite:${join(folder, 'x.db')}`)
  const store = await openStore(location.url, { role: 'writer' })
  let written = 0
  let exact = 0

  async function write(): Promise<void> {
    const id = String(written).padStart(8, '0')
    await store.write([{ put: { type: 'chaos:write', id, attributes: { text: 'x'.repeat(1_000) } } }])
    written += 1
  }

  try {
    while (written < 2_000) await write()
    for (let round = 0; round < times; round++) {
      const before = written
      let copying = true
      const copy = Promise.resolve(location.backup(join(folder, 'x.backup'))).finally(() => {
        copying = false
      })
      while (copying) {
        await write()
        await turn()
      }
      await copy
      const copyOf = await storeAt(`sqlite:${join(folder, 'y.db')}`)
      const { entities } = await copyOf.restore(join(folder, 'x.backup'))
      const restored = await copyOf.open('writer')
      const last = await restored.get('chaos:write', String(entities - 1).padStart(8, '0'))
      if (last !== undefined && entities >= before && entities <= written) exact += 1
      await restored.close()
      for (const name of ['x.backup', 'y.db', 'y.db-wal', 'y.db-shm'])
        rmSync(join(folder, name), { force: true })
    }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
  return finding(`${times} backups beside ${written} writes`, { 'of no exact moment': times - exact })
}
