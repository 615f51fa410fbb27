import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Entity, type World, WorldError } from '@worldwright/client'
import { createLimiter } from './limiter.ts'
import { createMemory, entrances } from './memory.ts'
import { createTitles } from './titles.ts'

const ref = (id: string) => ({ type: 'a:b', id })

test('each title is requested once for all references to its entity', async () => {
  const asked: string[] = []
  const titles = createTitles({
    get: async (type, id) => {
      asked.push(id)
      return { type, id, title: `Title of ${id}`, attributes: {} }
    },
  })
  const found = await Promise.all(['1', '2', '1', '1'].map((id) => titles.find(ref(id))))
  assert.deepEqual(asked, ['1', '2'])
  assert.deepEqual(found[2], { state: 'found', title: 'Title of 1' })
  assert.deepEqual(titles.known(ref('2')), { state: 'found', title: 'Title of 2' })
  assert.equal(titles.known(ref('3')), undefined)
})

test('titles requested together are read in one request, and those that it lacks alone', async () => {
  const asked: string[] = []
  const titles = createTitles(
    {
      get: async (type, id) => {
        asked.push(id)
        return { type, id, title: `Alone ${id}`, attributes: {} }
      },
    },
    async (refs) => {
      asked.push(refs.map(({ id }) => id).join())
      if (refs.some(({ id }) => id === 'refused')) throw new WorldError('timeout', 'late')
      return {
        entities: refs
          .slice(1)
          .map(({ type, id }) => ({ type, id, title: `Title of ${id}`, attributes: {} })),
      }
    },
  )
  const found = await Promise.all(['1', '2', '2', '3'].map((id) => titles.find(ref(id))))
  assert.deepEqual(asked, ['1,2,3', '1'])
  assert.deepEqual(found[0], { state: 'found', title: 'Alone 1' })
  assert.deepEqual(found[3], { state: 'found', title: 'Title of 3' })
  await titles.find(ref('4'))
  await Promise.all([titles.find(ref('5')), titles.find(ref('refused'))])
  assert.deepEqual(asked.slice(2), ['4', '5,refused', '5', 'refused'])
  asked.length = 0
  await Promise.all(Array.from({ length: 60 }, (_, at) => titles.find(ref(`many-${at}`))))
  assert.deepEqual(
    asked.map((one) => one.split(',').length),
    [50, 10, 1, 1],
  )
})

test('at most four titles are requested at a time', async () => {
  let running = 0
  let most = 0
  const titles = createTitles({
    get: (async (type: string, id: string): Promise<Entity> => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return { type, id, attributes: {} }
    }) as World['get'],
  })
  await Promise.all(Array.from({ length: 30 }, (_, index) => titles.find(ref(String(index)))))
  assert.equal(most, 4)
})

test('a missing entity is remembered, but a failed request is not', async () => {
  const failures = [
    new WorldError('entity_not_found', 'none', { status: 404 }),
    new WorldError('timeout', 'late'),
    new WorldError('timeout', 'late'),
  ]
  const titles = createTitles({
    get: async () => {
      throw failures.shift()
    },
  })
  assert.deepEqual(await titles.find(ref('1')), { state: 'missing' })
  assert.deepEqual(titles.known(ref('1')), { state: 'missing' })
  assert.deepEqual(await titles.find(ref('2')), { state: 'unknown' })
  assert.equal(titles.known(ref('2')), undefined)
})

test('a failed task releases its slot', async () => {
  const limit = createLimiter(1)
  await assert.rejects(limit(async () => Promise.reject(new Error('no'))))
  assert.equal(await limit(async () => 5), 5)
})

test('the cache evicts its least recently used entry', () => {
  const memory = createMemory<number>(2)
  memory.set('a', 1)
  memory.set('b', 2)
  memory.get('a')
  memory.set('c', 3)
  assert.deepEqual([memory.get('a'), memory.get('b'), memory.get('c')], [1, undefined, 3])
  entrances.value += 1
  assert.equal(memory.get('a'), undefined)
  memory.set('a', 4)
  assert.equal(memory.get('a'), 4)
})
