/** Compares reads: a node with a local replica against a file, and a node without a replica against one with a replica. */
import type { Store } from '@worldwright/core/store'
import { type Effort, spreadOf } from '../http/measure.ts'
import type { Line } from '../http/table.ts'

const QUESTIONS: Readonly<Record<string, (store: Store, keys: readonly Key[], at: number) => unknown>> = {
  'an entity': (store, keys, at) => {
    const { type, id } = keys[at % keys.length] as Key
    return store.get(type, id)
  },
  'a page of 50': (store, keys, at) => {
    const { type, id } = keys[at % keys.length] as Key
    return store.list(type, { after: id, limit: 50 })
  },
  'a search': (store, keys, at) => {
    const { title } = keys[at % keys.length] as Key
    return store.find({ text: title.split(' ')[0] ?? '', limit: 20, budgetMs: 5_000 })
  },
}

/** Key of an entity, and a title that finds it. */
interface Key {
  readonly type: string
  readonly id: string
  readonly title: string
}

/** Compares the processor time per question of a node with that of the embedded engine. */
export async function reads(node: Store, embedded: Store, effort: Effort): Promise<Line[]> {
  const keys = await someKeys(embedded)
  const lines: Line[] = []
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    const ratios: number[] = []
    const micros: [number, number][] = []
    for (let round = 0; round <= effort.rounds; round++) {
      const ours = await microsOf((at) => ask(node, keys, at), effort.seconds)
      const theirs = await microsOf((at) => ask(embedded, keys, at), effort.seconds)
      if (round === 0) continue
      ratios.push(theirs / ours)
      micros.push([ours, theirs])
    }
    const value = spreadOf(ratios)
    const median = (at: 0 | 1) => spreadOf(micros.map((one) => one[at])).median
    lines.push({
      question: `${name}, a node against the embedded engine`,
      bar: '≥ 0.95',
      value,
      met: value.median >= 0.95,
      micros: [median(0), median(1)],
    })
  }
  return lines
}

/** Number of concurrent requests. */
const TOGETHER = 32

/** Compares the answers per second of a node without a local replica and of one with it. Both wait only for the store. */
export async function readsWithoutReplica(direct: Store, node: Store, effort: Effort): Promise<Line[]> {
  const keys = await someKeys(node)
  const lines: Line[] = []
  for (const name of ['an entity', 'a page of 50']) {
    const ask = QUESTIONS[name] as (typeof QUESTIONS)[string]
    const ratios: number[] = []
    for (let round = 0; round <= effort.rounds; round++) {
      const theirs = await answersOf((at) => ask(node, keys, at), effort.seconds)
      const ours = await answersOf((at) => ask(direct, keys, at), effort.seconds)
      if (round > 0) ratios.push(ours / theirs)
    }
    const question = `${name}, ${TOGETHER} at a time, without a replica against with one`
    lines.push({ question, bar: '', value: spreadOf(ratios) })
  }
  return lines
}

/** Returns the number of questions answered within `seconds`. */
async function answersOf(ask: (at: number) => unknown, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1_000
  let asked = 0
  const asker = async () => {
    while (performance.now() < end) await ask(asked++)
  }
  await Promise.all(Array.from({ length: TOGETHER }, asker))
  return asked
}

/** Returns the keys of the first entities of each type, at most 200 per type. */
async function someKeys(store: Store): Promise<Key[]> {
  const keys: Key[] = []
  for (const type of (await store.types()).keys()) {
    const { entities } = await store.list(type, { limit: 200 })
    for (const { id, json } of entities) keys.push({ type, id, title: JSON.parse(json).title ?? id })
  }
  return keys
}

/** Measures processor time per question, in microseconds. */
async function microsOf(ask: (at: number) => unknown, seconds: number): Promise<number> {
  const before = process.cpuUsage()
  const end = performance.now() + seconds * 1_000
  let asked = 0
  for (; performance.now() < end; asked++) await ask(asked)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / asked
}
