/** A store under change, with a record of what was touched when, to hold walks against. */
import type { Operation, Store } from '@worldwright/core/store'
import { moon } from './served.fixture.ts'

/** Random numbers that a failing test can repeat: mulberry32. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** What a walk may expect, seen from its start. */
export interface Watch {
  /** What is wrong with the ids a walk gave, in the order it gave them; empty for a walk that is right. */
  faults(came: readonly string[]): readonly string[]
}

/** Ids in all lengths of UTF-8, many of them beginnings of others, so that order and boundaries are hard. */
export function hardIds(count: number): string[] {
  const letters = ['a', 'b', '~', 'é', '火', '\uff5e', '\u{1f30d}', '\u{10fffd}']
  return Array.from({ length: count }, (_, index) => {
    const digits = index.toString(letters.length).split('')
    return digits.map((digit) => letters[Number(digit)]).join('')
  })
}

/** Writes to a store, one, two or three operations at once, and knows which ids each walk may not rely on. */
export function createChurn(storage: Store, ids: readonly string[], random: (below: number) => number) {
  const present = new Set<string>()
  /** The ids touched, in order; a write stands here from before it begins and again once it is done. */
  const touched: string[] = []
  let count = 0

  async function apply(operations: readonly Operation[]): Promise<void> {
    const keys = operations.map((operation) => ('put' in operation ? operation.put.id : operation.delete.id))
    touched.push(...keys)
    await storage.write(operations)
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
    /** One write: of random ids and, where a walk stands at one, of that. */
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
