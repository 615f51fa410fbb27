import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Import, StorageFault } from '../storage/contract.ts'
import { createMemoryStorage } from '../storage/memory.ts'
import { shareStorage } from './shared-storage.ts'

/** A store whose imports are said to have ended by their numbers; aborting those in `busy` fails. */
function watched(busy: readonly number[] = []) {
  const storage = createMemoryStorage()
  const ended: number[] = []
  let count = 0
  async function begin(): Promise<Import> {
    const number = ++count
    const load = await storage.import()
    return {
      ...load,
      async abort() {
        if (busy.includes(number)) throw new StorageFault('busy', 'Not now.')
        ended.push(number)
        await load.abort()
      },
    }
  }
  return { shared: shareStorage({ ...storage, import: begin }), ended }
}

test('all imports of a worker that ended are aborted, also where one of them cannot be', async () => {
  const { shared, ended } = watched([1])
  const { beginImport } = shared.methods as { beginImport: () => Promise<number> }
  for (let begun = 0; begun < 3; begun++) await beginImport()
  await shared.abandon()
  assert.deepEqual(ended, [2, 3])
})

test('an import that was just beginning when its worker ended is aborted as well', async () => {
  const { shared, ended } = watched()
  const { beginImport } = shared.methods as { beginImport: () => Promise<number> }
  const begun = beginImport()
  await shared.abandon()
  await begun
  assert.deepEqual(ended, [1])
})
