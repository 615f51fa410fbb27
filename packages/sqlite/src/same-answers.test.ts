import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity } from '@worldwright/client/protocol'
import type { Operation, Store } from '../../core/src/store/contract.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { dice, importAll } from '../../core/src/store/suite-data.ts'
import { namedValue } from '../../core/src/store/values.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

const TYPES = ['sol:planet', 'sol:moon', 'a.b:C']
const IDS = [
  'earth',
  '\ufffd',
  '\u{1f30d}',
  'a/b',
  '50%',
  "o'brien",
  'Ω',
  '0',
  'x'.repeat(512),
  '\u{10000}',
  'z',
  'é',
]
const WORDS = [
  'ice',
  'Giant',
  'Éclair',
  '日本',
  'red-hot',
  '"quoted"',
  '42',
  'हिन्दी',
  'near',
  'ring',
  'NOT',
  '🚀',
]

test('both engines return identical results for a sequence of operations', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const memory = await answers((now) => createMemoryStore({ search: memorySearch, now }))
  const sqlite = await answers((now) => openSqliteStore(folder.file('world.db'), { now }))
  assert.ok(memory.length > 1_000)
  for (const [index, answer] of memory.entries()) assert.equal(sqlite[index], answer)
})

/** Runs the sequence and returns every result as JSON. Versions and offsets are renamed in order of appearance. */
async function answers(open: (now: () => Date) => Store): Promise<string[]> {
  let seconds = 0
  const store = open(() => new Date(Date.UTC(2026, 2, 1, 9, 0, seconds)))
  const roll = dice(2026)
  const given: string[] = []
  const names = new Map<string, string>()
  const name = (version: string) =>
    names.get(version) ?? names.set(version, `v${names.size}`).get(version) ?? ''
  const say = (answer: unknown) =>
    given.push(
      JSON.stringify(answer, (key, value) => (key === 'version' || key === 'position' ? name(value) : value)),
    )

  for (let step = 0; step < 120; step++) {
    seconds += roll(3)
    if (roll(5) > 0) say(await store.write(Array.from({ length: 1 + roll(4) }, () => operation(roll))))
    else say(await importAll(store, entities(roll), TYPES.slice(roll(4))))
    if (roll(6) === 0) await store.write([], { values: { world: WORDS[roll(WORDS.length)] } })
    say([name(await store.version()), await namedValue(store, 'world')])
    say([...(await store.types())])
    const type = pick(TYPES, roll)
    say((await store.get(type, pick(IDS, roll))) ?? null)
    for (const limit of [0, 1, 5, 50]) say(await store.list(type, { after: pick(IDS, roll), limit }))
    for (const text of [undefined, words(roll), words(roll)]) {
      const types = roll(2) ? { types: TYPES.slice(roll(3)) } : {}
      say(await store.find({ limit: roll(20), budgetMs: 60_000, ...(text && { text }), ...types }))
    }
    const snapshot = await store.snapshot()
    say(await Array.fromAsync(snapshot.entities()))
    await snapshot.close()
  }
  await store.close()
  return given
}

type Dice = ReturnType<typeof dice>

function operation(roll: Dice): Operation {
  const key = { type: pick(TYPES, roll), id: pick(IDS, roll) }
  const write = roll(3) ? { put: entity(roll) } : { delete: key }
  const preconditions = [{ ifAbsent: true }, { ifPresent: true }, { ifRevision: ['none'] }] as const
  return roll(8) ? write : { ...write, precondition: pick(preconditions, roll) }
}

function entities(roll: Dice): Entity[] {
  return Array.from({ length: roll(12) }, () => entity(roll))
}

function entity(roll: Dice): Entity {
  const attributes = { aliases: [words(roll)], size: roll(100), nested: { text: words(roll) } }
  const key = { type: pick(TYPES, roll), id: pick(IDS, roll) }
  return roll(3)
    ? { ...key, title: words(roll), summary: words(roll), attributes }
    : { ...key, attributes: {} }
}

function words(roll: Dice): string {
  return Array.from({ length: 1 + roll(4) }, () => pick(WORDS, roll)).join(' ')
}

function pick<T>(list: readonly T[], roll: Dice): T {
  return list[roll(list.length)] as T
}
