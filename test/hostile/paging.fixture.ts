/** Writes to a store at random and records the writes, so that walks made at the same time can be checked. */
import type { Operation, Store } from '@worldwright/core/store'
import { moon } from './served.fixture.ts'

/** Returns a seeded random generator (mulberry32), so that a failing test can be repeated. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Expectations for a walk, captured at its start. */
export interface Watch {
  /** Returns the faults of a walk that returned the ids in `came`, in this order, or an empty array if it is correct. */
  faults(came: readonly string[]): readonly string[]
}

/** Returns ids with UTF-8 sequences of all lengths, to test their order. Many of the ids are prefixes of others. */
export function hardIds(count: number): string[] {
  const letters = ['a', 'b', '~', 'é', '火', '\uff5e', '\u{1f30d}', '\u{10fffd}']
  return Array.from({ length: count }, (_, index) => {
    const digits = index.toString(letters.length).split('')
    return digits.map((digit) => letters[Number(digit)]).join('')
  })
}

/** Returns a writer that applies one to three operations per write and records which ids a concurrent walk may miss. */
export function createChurn(store: Store, ids: readonly string[], random: (below: number) => number) {
  const present = new Set<string>()
  /** Written ids, in order. They are recorded before a write begins and again when it is done. */
  const touched: string[] = []
  let count = 0

  async function apply(operations: readonly Operation[]): Promise<void> {
    const keys = operations.map((operation) => ('put' in operation ? operation.put.id : operation.delete.id))
    touched.push(...keys)
    await store.write(operations)
    for (const operation of operations) {
      if ('put' in operation) present.add(operation.put.id)
      else present.delete(operation.delete.id)
    }
    touched.push(...keys)
  }

  function operationOn(id: string): Operation {
    count += 1
    if (random(2) === 0) return { delete: { type: 'sol:moon', id } }
    return { put: { ...moon(id), attributes: { count } } }
  }

  return {
    /** Fills the store with every second id. */
    begin: () => apply(ids.filter((_, index) => index % 2 === 0).map((id) => ({ put: moon(id) }))),
    /** Puts or deletes entities with random ids and, if given, the id `boundary`, at which a walk currently is. */
    async write(boundary?: string): Promise<void> {
      const some = Array.from({ length: 1 + random(2) }, () => ids[random(ids.length)] ?? '')
      await apply([...(boundary === undefined ? [] : [boundary]), ...some].map(operationOn))
    },
    watch(): Watch {
      const before = new Set(present)
      const start = touched.length
      return {
        faults(came) {
          const moved = new Set(touched.slice(start))
          const seen = new Set(came)
          const bytes = came.map((id) => Buffer.from(id))
          return [
            ...bytes.flatMap((id, index) => {
              const earlier = bytes[index - 1]
              return earlier !== undefined && Buffer.compare(earlier, id) >= 0
                ? [`${id} came after ${earlier}`]
                : []
            }),
            ...[...before].filter((id) => !moved.has(id) && !seen.has(id)).map((id) => `${id} did not come`),
            ...came.filter((id) => !before.has(id) && !moved.has(id)).map((id) => `${id} was not there`),
          ]
        },
      }
    },
    writes: () => count,
  }
}
