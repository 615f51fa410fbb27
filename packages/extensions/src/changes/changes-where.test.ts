import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import type { Changes, ChangesOptions, Store } from '../../../core/src/store/contract.ts'
import { setIndexRules } from '../../../core/src/store/index-rules.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { CHANGES, overStores, type Worlds, worldOver } from './changes.fixture.ts'
import { eventsIn, type SeenEvent, until } from './event-reader.fixture.ts'

const properties = {
  mass: { type: 'number' },
  name: { type: 'string' },
  secret: { type: 'number', 'x-index': false },
  planet: { type: 'object', properties: { type: { const: 'sol:planet' }, id: { type: 'string' } } },
}
const TYPES = [
  { type: 'sol:moon', schema: { type: 'object', properties } },
  { type: 'sol:planet', schema: { type: 'object', properties: { rings: { type: 'boolean' } } } },
]
const EVENTS = { accept: 'text/event-stream' }

function heavierThan(mass: number): JsonObject {
  return { op: '>', args: [{ property: 'mass' }, mass] }
}

function whereOf(condition: unknown): string {
  return `where=${encodeURIComponent(JSON.stringify(condition))}`
}

function isPosition({ event }: SeenEvent): boolean {
  return event === 'position'
}

function shown({ op, id }: { op: string; id: string }): string {
  return `${op} ${id}`
}

async function worldOfMoons({ world }: Worlds) {
  const opened = await world({ types: TYPES })
  const putMoon = (id: string, attributes: JsonObject) =>
    opened.store.write([{ put: { type: 'sol:moon', id, attributes } }])
  return { ...opened, putMoon }
}

overStores('an entity that matches is a put, and any other a leave without its content', async (worlds) => {
  const { putMoon, remove, asked, opened, store } = await worldOfMoons(worlds)
  await putMoon('io', { mass: 9 })
  await putMoon('vulcan', { mass: 8 })
  await remove('moon', 'vulcan')
  await putMoon('ymir', { mass: 1 })
  await putMoon('loki', { name: 'no mass' })
  const query = `${whereOf(heavierThan(5))}&types=sol:moon&entities=true`
  const { changes, ...state } = await asked(query)
  assert.deepEqual(changes.map(shown), ['put io', 'leave vulcan', 'leave ymir', 'leave loki'])
  assert.deepEqual(Object.keys(changes[1]), ['op', 'type', 'id', 'position', 'next'])
  assert.deepEqual(Object.keys(changes[2]), ['op', 'type', 'id', 'position', 'next'])
  assert.equal(JSON.stringify(changes[0].entity), (await store.get('sol:moon', 'io'))?.json)
  const { pieces } = await opened(`${CHANGES}?${query}`, { accept: 'application/x-ndjson' })
  const lines = (await Array.fromAsync(pieces)).join('').trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [...changes, state],
  )
  assert.deepEqual(await asked('where=mass%20%3E%205&types=sol:moon&entities=true'), { changes, ...state })
  assert.deepEqual(await asked(query.replace('where=', 'where=%20%0A')), { changes, ...state })
  // `not` of an unknown condition is unknown.
  const lighter = await asked(whereOf({ op: 'not', args: [heavierThan(5)] }))
  assert.deepEqual(lighter.changes.map(shown), ['leave io', 'leave vulcan', 'put ymir', 'leave loki'])
})

overStores('an offset is valid with any condition over the same types', async (worlds) => {
  const { putMoon, asked, put } = await worldOfMoons(worlds)
  await putMoon('io', { mass: 9 })
  const { next } = await asked('types=sol:moon')
  await putMoon('io', { mass: 2 })
  await put('planet', 'mars')
  const changed = await asked(`types=sol:moon&since=${next}&${whereOf(heavierThan(5))}`)
  assert.deepEqual(changed.changes.map(shown), ['leave io'])
  const other = await asked(`types=sol:moon&since=${next}&${whereOf(heavierThan(1))}`)
  assert.deepEqual(other.changes.map(shown), ['put io'])
  assert.equal((await asked(`since=${next}&${whereOf(heavierThan(1))}`)).code, 'invalid_cursor')
})

overStores('attributes without an index have no value, and times compare as in queries', async (worlds) => {
  const { putMoon, asked, store } = await worldOfMoons(worlds)
  await setIndexRules(store, { 'sol:moon': { mass: { index: false } } })
  await putMoon('io', { mass: 9 })
  assert.deepEqual((await asked(whereOf(heavierThan(5)))).changes.map(shown), ['leave io'])
  const isNew = { op: '>', args: [{ property: 'updatedAt' }, { timestamp: '2020-01-01T00:00:00Z' }] }
  assert.deepEqual((await asked(whereOf(isNew))).changes.map(shown), ['put io'])
  await setIndexRules(store, {})
  assert.deepEqual((await asked(whereOf(heavierThan(5)))).changes.map(shown), ['put io'])
})

overStores('a faulty condition is refused with a pointer into it', async (worlds) => {
  const { send } = await worldOfMoons(worlds)
  const refused = async (query: string) => {
    const { status, json } = await send(`${CHANGES}?${query}`)
    const { code, message, details } = json()
    assert.deepEqual([status, code], [400, 'invalid_parameter'])
    const [{ message: _, ...field }] = details.fields
    return { message, field, properties: details.properties }
  }
  const unknown = await refused(`types=sol:planet&${whereOf(heavierThan(5))}`)
  const pointer = '/args/0/property'
  assert.deepEqual(unknown.field, { in: 'query', name: 'where', pointer, reason: 'not_allowed' })
  assert.match(
    unknown.message,
    /^where cannot be read: \/args\/0\/property: mass is not a queryable property/,
  )
  assert.deepEqual(unknown.properties, ['type', 'id', 'title', 'createdAt', 'updatedAt', 'rings'])
  const many = { op: 'and', args: Array.from({ length: 33 }, () => heavierThan(1)) }
  assert.deepEqual((await refused(whereOf(many))).field, {
    ...{ in: 'query', name: 'where', pointer: '', reason: 'too_many' },
  })
  const broken = await refused('where=%7B')
  assert.deepEqual(broken.field, { in: 'query', name: 'where', reason: 'malformed' })
  assert.match(
    (await refused('where=7')).message,
    /^where cannot be read: at character 2: expected an operator/,
  )
  assert.equal((await refused(`${whereOf(heavierThan(1))}&where=7`)).field.reason, 'repeated')
  const joined = { op: '=', args: [{ property: 'planet.rings' }, true] }
  const { field, message } = await refused(`types=sol:moon&${whereOf(joined)}`)
  assert.deepEqual([field.reason, field.pointer], ['not_allowed', '/args/0/property'])
  assert.match(message, /changes cannot follow a path through a reference/)
  const secret = { op: 'isNull', args: [{ property: 'secret' }] }
  assert.equal((await refused(whereOf(secret))).field.reason, 'not_allowed')
})

test('a store without an index accepts no condition', async () => {
  const { find: _, ...store } = createMemoryStore()
  const { send } = worldOver(store as unknown as Store)
  const { extensions } = (await send('/.well-known/world.json')).json()
  assert.equal(extensions['worldwright:changes'].where, undefined)
  const { code, message } = (await send(`${CHANGES}?${whereOf(heavierThan(1))}`)).json()
  assert.deepEqual([code, message.slice(0, 6)], ['invalid_parameter', 'where:'])
})

overStores('a stream sends puts and leaves as they happen, and resumes after each', async (worlds) => {
  const { putMoon, remove, opened, send } = await worldOfMoons(worlds)
  const { extensions } = (await send('/.well-known/world.json')).json()
  assert.equal(extensions['worldwright:changes'].where, true)
  await putMoon('io', { mass: 9 })
  const target = `${CHANGES}?${whereOf(heavierThan(5))}`
  const events = eventsIn((await opened(target, EVENTS)).pieces)
  assert.deepEqual(
    (await until(events, isPosition)).slice(0, -1).map(({ data }) => shown(data)),
    ['put io'],
  )
  await putMoon('io', { mass: 2 })
  const [leave] = await until(events, isPosition)
  assert.deepEqual([leave?.event, shown(leave?.data), leave?.id], ['change', 'leave io', leave?.data.next])
  await remove('moon', 'io')
  const again = eventsIn((await opened(target, { ...EVENTS, 'last-event-id': leave?.id ?? '' })).pieces)
  assert.equal(shown((await until(again, isPosition))[0]?.data), 'leave io')
  for (const stream of [events, again]) await stream.return(undefined)
})

test('streams with different conditions share each read of the log', async () => {
  const memory = createMemoryStore()
  let reads = 0
  const changes = (options: ChangesOptions): Changes => {
    reads += 1
    return memory.changes(options) as Changes
  }
  const { opened, store } = worldOver({ ...memory, changes }, { types: TYPES })
  const masses = Array.from({ length: 50 }, (_, at) => at)
  const open = async (mass: number) => {
    const target = `${CHANGES}?since=now&${whereOf(heavierThan(mass))}`
    return eventsIn((await opened(target, EVENTS)).pieces)
  }
  const streams = await Promise.all([...masses, ...masses].map(open))
  await Promise.all(streams.map((events) => until(events, isPosition)))
  reads = 0
  await store.write([{ put: { type: 'sol:moon', id: 'io', attributes: { mass: 20.5 } } }])
  const seen = await Promise.all(streams.map((events) => until(events, isPosition)))
  const ops = seen.map(([change]) => change?.data.op)
  assert.deepEqual(
    ops,
    [...masses, ...masses].map((mass) => (mass <= 20 ? 'put' : 'leave')),
  )
  assert.ok(reads <= 2, `${reads} reads`)
  for (const events of streams) await events.return(undefined)
})
