/** Synthetic entities for benchmarks: identical in every run, about 600 bytes each. */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@worldwright/engines'

/** The only type in a bench store. */
export const TYPE = 'bench:item'

/** Number of entities in the small world. */
export const ENTITIES = 10_000

/** Number of entities in the large world. */
export const MANY = 1_200_000

/** Number of entities in the large world of a `--quick` run. */
export const QUICK_MANY = ENTITIES

const WORDS =
  'amber basin cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north orbit plain quarry ridge shoal tundra upland valley willow yonder zenith'.split(
    ' ',
  )

/** Path of the list of all entities. */
export const LIST = `/api/world/v0/entities/${encodeURIComponent(TYPE)}`

/** Path prefix of every entity; its number in eight digits follows. */
export const ITEMS = `${LIST}/item-`

/** Returns the id of the n-th entity; ids ascend with n. */
export function idOf(index: number): string {
  return `item-${String(index).padStart(8, '0')}`
}

/** Hot set: entities that stay in the cache of every process that answers. */
export const HOT = { path: ITEMS, entities: 500 }

/** Returns the path of a store with this many entities, creating it on the first call and keeping it for later runs. */
export async function benchStore(count: number): Promise<string> {
  const folder = join(tmpdir(), 'worldwright-bench')
  const file = join(folder, `store-${count}.db`)
  mkdirSync(folder, { recursive: true })
  if (await isWhole(file, count)) return file
  const draft = `${file}.draft`
  removeStore(draft)
  await fillStore(draft, count)
  // Leftover files of an older store must not be mistaken for those of the new one.
  removeStore(file)
  renameSync(draft, file)
  return file
}

/** Fills a store with this many entities, the same ones in every store of that size. */
export async function fillStore(file: string, count: number): Promise<void> {
  const storage = await openStore(`sqlite:${file}`, { role: 'writer' })
  const running = await storage.bulk()
  for (let from = 0; from < count; from += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, count - from) }, (_, index) => entityOf(from + index))
    await running.add(batch)
  }
  await running.commit()
  await storage.close()
}

function removeStore(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

async function isWhole(file: string, count: number): Promise<boolean> {
  try {
    const storage = await openStore(`sqlite:${file}`, { role: 'reader' })
    const states = await storage.types()
    // Fails if an older version made the store: its index would be rebuilt during the measurement.
    await storage.find({ text: WORDS[0], limit: 0, budgetMs: 1_000 })
    await storage.close()
    return states.get(TYPE)?.count === count
  } catch {
    return false
  }
}

function entityOf(index: number) {
  const word = (step: number) => WORDS[(index * 7 + step * step * 11) % WORDS.length] ?? ''
  const prose = (from: number, words: number) =>
    Array.from({ length: words }, (_, step) => word(from + step)).join(' ')
  return {
    type: TYPE,
    id: idOf(index),
    title: `${word(0)} ${word(1)} ${index}`,
    summary: `${prose(2, 24)}.`,
    attributes: {
      heightM: (index * 37) % 9_000,
      latitudeDeg: ((index * 13) % 180) - 90,
      aliases: [`${word(3)}-${index}`, `${word(5)} ${word(8)}`],
      notes: prose(9, 30),
      seenAt: '2026-01-01T00:00:00Z',
    },
  }
}
