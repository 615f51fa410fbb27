import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { positionNow } from '../store/positions.ts'
import { createWorld } from './handler.ts'
import { API, DESCRIPTION, JSON_TYPE, overStores } from './world.fixture.ts'

const IO = `${API}/entities/sol:moon/io`
const NEW = `${API}/entities/sol:moon/new`

type Store = Awaited<ReturnType<Parameters<Parameters<typeof overStores>[1]>[0]['sol']>>['store']

async function put(store: Store, id: string): Promise<string> {
  const result = await store.write([{ put: { type: 'sol:moon', id, attributes: {} } }])
  return result.done ? result.position : assert.fail()
}

/** Returns the position that the next write will have. */
function nextOf(position: string): string {
  const at = position.lastIndexOf('-')
  return `${position.slice(0, at)}-${Number(position.slice(at + 1)) + 1}`
}

overStores('a read is answered at once if its position has been reached', async ({ sol }) => {
  const { send, store } = await sol()
  const position = await put(store, 'new')
  for (const target of [NEW, IO, `${API}/entities/sol:moon`, '/.well-known/world.json'])
    assert.equal((await send('GET', target, { 'worldwright-after': position })).status, 200)
  const headers = { ...JSON_TYPE, 'worldwright-after': position }
  const body = JSON.stringify({ input: { types: ['sol:moon'] } })
  const discover = () => send('POST', `${API}/actions/wp%3Adiscover`, headers, body)
  assert.equal((await discover()).json().output.total, 7)
})

overStores('a read waits for its position even if an older response is cached', async ({ sol }) => {
  const { send, store } = await sol()
  const list = `${API}/entities/sol:moon`
  assert.equal((await send('GET', list)).json().total, 6)
  const next = nextOf(await positionNow(store))
  const waiting = send('GET', list, { 'worldwright-after': next })
  await turn()
  assert.equal((await send('GET', list)).json().total, 6)
  assert.equal(await put(store, 'new'), next)
  assert.equal((await waiting).json().total, 7)
})

overStores('returns 503 if a position is not reached within two seconds', async ({ sol }) => {
  const { store } = await sol()
  const looked = Promise.withResolvers<void>()
  const seen = {
    ...store,
    watch(signal: AbortSignal) {
      looked.resolve()
      return store.watch(signal)
    },
  }
  const handler = createWorld({ ...DESCRIPTION, store: seen, publicUrl: 'https://sol.example' })
  const headers = { 'worldwright-after': nextOf(await positionNow(store)) }
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const waiting = handler.handle({ method: 'GET', target: IO, headers })
    await looked.promise
    mock.timers.tick(1_999)
    await turn()
    assert.equal(await Promise.race([waiting, 'waits']), 'waits')
    mock.timers.tick(1)
    const response = await waiting
    assert.deepEqual([response.status, response.headers['world-error-code']], [503, 'unavailable'])
    assert.equal(response.headers['retry-after'], '1')
  } finally {
    mock.timers.reset()
  }
})

overStores('a position that is malformed or of another history is refused', async ({ sol }) => {
  const { send } = await sol()
  const other = await sol()
  for (const after of ['', 'x', await positionNow(other.store)]) {
    const response = await send('GET', IO, { 'worldwright-after': after })
    assert.deepEqual([response.status, response.json().code], [400, 'invalid_parameter'], after)
    assert.deepEqual(response.json().details.fields, [
      { in: 'header', name: 'worldwright-after', reason: 'not_allowed' },
    ])
  }
})

overStores('the wait for a position ends when the client disconnects', async ({ sol }) => {
  const { store } = await sol()
  const watched: AbortSignal[] = []
  const seen = {
    ...store,
    watch(signal: AbortSignal) {
      watched.push(signal)
      return store.watch(signal)
    },
  }
  const handler = createWorld({ ...DESCRIPTION, store: seen, publicUrl: 'https://sol.example' })
  const left = new AbortController()
  const headers = { 'worldwright-after': nextOf(await positionNow(store)) }
  const waiting = handler.handle({ method: 'GET', target: IO, headers, signal: left.signal })
  while (watched.length === 0) await turn()
  left.abort()
  assert.equal((await waiting).status, 408)
  assert.equal(watched[0]?.aborted, true)
})
