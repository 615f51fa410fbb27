/** Synthetic entities for benchmarks. They are identical in every run, and take about 600 bytes each. */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@worldwright/engines'

/** Only type in a benchmark store. */
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

/** Path prefix of every entity, to which its number in eight digits is appended. */
export const ITEMS = `${LIST}/item-`

/** Returns the id of the n-th entity. Ids ascend with n. */
export function idOf(index: number): string {
  return `item-${String(index).padStart(8, '0')}`
}

/** Hot set of entities, which stay in the cache of every serving process. */
export const HOT = { path: ITEMS, entities: 500 }

/** Returns the path of a store with this many entities. The first call creates the store, which later runs reuse. */
export async function benchStore(count: number): Promise<string> {
  const folder = join(tmpdir(), 'worldwright-bench')
  const file = join(folder, `store-${count}.db`)
  mkdirSync(folder, { recursive: true })
  if (await isWhole(file, count)) return file
  const draft = `${file}.draft`
  removeStore(draft)
  await fillStore(draft, count)
  // Remove the files left over from an older store, so that the new store does not use them.
  removeStore(file)
  renameSync(draft, file)
  return file
}

/** Fills a store with this many entities, which depend only on the count. */
export async function fillStore(file: string, count: number): Promise<void> {
  const store = await openStore(`sqlite:${file}`, { role: 'writer' })
  const running = await store.bulk()
  for (let from = 0; from < count; from += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, count - from) }, (_, index) => entityOf(from + index))
    await running.add(batch)
  }
  await running.commit()
  await store.close()
}

function removeStore(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

async function isWhole(file: string, count: number): Promise<boolean> {
  try {
    const store = await openStore(`sqlite:${file}`, { role: 'reader' })
    const states = await store.types()
    // Fails if an older version created the store, because its index would be rebuilt during the measurement.
    await store.find({ text: WORDS[0], limit: 0, budgetMs: 1_000 })
    await store.close()
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
