import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../store/memory.ts'
import type { Action } from '../world/action.ts'
import { WorldFault } from '../world/errors.ts'
import type { Extension } from './extension.ts'
import { createWorld } from './handler.ts'
import { API, DESCRIPTION, JSON_TYPE, ORIGIN, pieces } from './world.fixture.ts'

const WHO: Action = {
  description: { name: 'sol:who', safe: true, inputSchema: {}, outputSchema: {} },
  async call(_input, { caller }) {
    return { output: JSON.stringify((await caller())?.id ?? null), warnings: [] }
  },
}

/** Counts visits per entity. Only callers with a key may read the world, and only `chief` may call actions. */
function visits(log: string[] = []): Extension {
  return ({ apiPath, world, callerOf }) => {
    const counts = new Map<string, number>()
    return {
      name: 'sol:visits',
      actions: [WHO],
      declares: (types) => (counts.size === 0 ? undefined : { path: 'visits', types: types.length }),
      routes: [
        {
          path: `${apiPath}/visits/{type}/{id}`,
          methods: {
            async POST({ signal }, { type = '', id = '' }) {
              const entity = await world.get(type, id, { signal })
              const count = (counts.get(entity.id) ?? 0) + 1
              counts.set(entity.id, count)
              return {
                status: 200,
                headers: { 'content-type': 'application/json' },
                body: `{"count":${count}}`,
              }
            },
          },
        },
      ],
      authenticate({ headers: { authorization } }) {
        log.push(`authenticate ${authorization}`)
        return authorization === undefined ? undefined : { id: authorization, scopes: [] }
      },
      async admit(request) {
        if ((await callerOf(request)) === undefined) throw new WorldFault('unauthenticated', 'No key.')
      },
      async admitCall(request) {
        if ((await callerOf(request))?.id !== 'chief') throw new WorldFault('forbidden', 'Not you.')
      },
      notFound: ({ target }) =>
        target.startsWith('/visits/')
          ? { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Never visited.' }
          : undefined,
      open: () => void log.push('open'),
      close: () => void log.push('close'),
    }
  }
}

async function visited(log?: string[]) {
  const store = createMemoryStore()
  await store.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  const world = createWorld({ ...DESCRIPTION, store, extensions: [visits(log)], publicUrl: ORIGIN })
  const send = async (method: string, target: string, authorization?: string) => {
    const headers = { ...JSON_TYPE, ...(authorization !== undefined && { authorization }) }
    const { status, body } = await world.handle({
      method,
      target,
      headers,
      ...(method === 'POST' && { body: pieces('{"input":{}}') }),
    })
    const text = Buffer.from(body as Uint8Array).toString()
    return { status, text, json: () => JSON.parse(text) }
  }
  return { store, send }
}

test('an extension adds routes, an action and a discovery member', async () => {
  const { send, store } = await visited()
  const discovery = async () => (await send('GET', '/.well-known/world.json')).json()
  assert.deepEqual((await discovery()).extensions, {})
  assert.deepEqual((await send('POST', `${API}/visits/sol:moon/io`, 'me')).json(), { count: 1 })
  // Discovery is rebuilt after the store has changed.
  await store.write([], { values: { any: '1' } })
  const { actions, extensions } = await discovery()
  assert.deepEqual(
    actions.map(({ name }: { name: string }) => name),
    ['wp:discover', 'sol:who'],
  )
  assert.deepEqual(extensions, { 'sol:visits': { path: 'visits', types: 2 } })
})

test('an extension authenticates callers, and refuses requests and action calls', async () => {
  const log: string[] = []
  const { send } = await visited(log)
  assert.equal((await send('GET', `${API}/entities/sol:moon/io`)).status, 401)
  assert.equal((await send('GET', `${API}/entities/sol:moon/io`, 'me')).status, 200)
  assert.equal((await send('POST', `${API}/actions/sol:who`, 'me')).json().code, 'forbidden')
  log.length = 0
  assert.equal((await send('POST', `${API}/actions/sol:who`, 'chief')).json().output, 'chief')
  assert.deepEqual(log, ['authenticate chief'])
})

test('an extension answers unknown paths, but only for callers that may read', async () => {
  const { send } = await visited()
  assert.deepEqual((await send('GET', '/visits/2026', 'me')).text, 'Never visited.')
  assert.equal((await send('GET', '/visits/2026')).status, 401)
  assert.equal((await send('GET', '/elsewhere', 'me')).json().code, 'not_found')
  assert.equal((await send('POST', '/visits/2026', 'me')).json().code, 'not_found')
})

test('extensions open in order and close in reverse order, even if one fails to open', async () => {
  const log: string[] = []
  const part =
    (name: string, fails = false): Extension =>
    () => ({
      name,
      open() {
        if (fails) throw new Error('no room')
        log.push(`open ${name}`)
      },
      close: () => void log.push(`close ${name}`),
    })
  const made = (...extensions: Extension[]) =>
    createWorld({ ...DESCRIPTION, store: createMemoryStore(), extensions })
  const world = made(part('x:a'), part('x:b'))
  await world.open()
  await world.close()
  assert.deepEqual(log.splice(0), ['open x:a', 'open x:b', 'close x:b', 'close x:a'])
  await assert.rejects(made(part('x:a'), part('x:b'), part('x:c', true)).open(), /no room/)
  assert.deepEqual(log, ['open x:a', 'open x:b', 'close x:b', 'close x:a'])
})

test('an around hook wraps the around hooks of earlier extensions', async () => {
  const marked =
    (mark: string): Extension =>
    () => ({
      name: `x:${mark}`,
      around: (handle) => async (request) => {
        const { headers, ...response } = await handle(request)
        return { ...response, headers: { ...headers, mark: `${headers['mark'] ?? ''}${mark}` } }
      },
    })
  const extensions = [marked('a'), marked('b')]
  const { handle } = createWorld({
    ...DESCRIPTION,
    store: createMemoryStore(),
    extensions,
    publicUrl: ORIGIN,
  })
  const { headers } = await handle({ method: 'GET', target: '/nowhere', headers: {} })
  assert.equal(headers['mark'], 'ab')
})

test('an error thrown by an around hook is returned as an error body', async () => {
  const thrown =
    (error: Error): Extension =>
    () => ({ name: 'x:front', around: () => () => Promise.reject(error) })
  const seen: unknown[] = []
  const { handle } = createWorld({
    ...DESCRIPTION,
    store: createMemoryStore(),
    extensions: [thrown(new Error('no lock'))],
    publicUrl: ORIGIN,
    log: ({ error }) => seen.push((error as Error).message),
  })
  const { status, body } = await handle({ method: 'GET', target: '/.well-known/world.json', headers: {} })
  assert.equal(status, 500)
  assert.equal(JSON.parse(Buffer.from(body as Uint8Array).toString()).code, 'internal_error')
  assert.deepEqual(seen, ['no lock'])
})

test('all extensions are closed, even if one of them fails to close', async () => {
  const closed: string[] = []
  const part =
    (name: string): Extension =>
    () => ({
      name,
      open() {},
      close() {
        closed.push(name)
        if (name === 'x:b') throw new Error('stuck')
      },
    })
  const extensions = [part('x:a'), part('x:b'), part('x:c')]
  const world = createWorld({ ...DESCRIPTION, store: createMemoryStore(), extensions })
  await world.open()
  await assert.rejects(world.close(), /stuck/)
  assert.deepEqual(closed, ['x:c', 'x:b', 'x:a'])
})

test('two extensions with the same name or overlapping routes are refused', () => {
  const at =
    (name: string, path: string): Extension =>
    () => ({ name, routes: [{ path, methods: {} }] })
  const made = (...extensions: Extension[]) =>
    createWorld({ ...DESCRIPTION, store: createMemoryStore(), extensions })
  assert.throws(() => made(at('x:a', '/a'), at('x:a', '/b')), {
    name: 'TypeError',
    message: 'Two extensions have the name x:a. Leave one of them out.',
  })
  assert.throws(() => made(at('x:a', '/a/{id}'), at('x:b', '/a/b')), {
    name: 'TypeError',
    message: 'The extensions x:a and x:b both answer at /a/b. Leave one of them out.',
  })
  assert.throws(() => made(at('x:a', `${API}/entities/{type}`)), { name: 'TypeError', message: /apiUrl/ })
  assert.equal(made(at('x:a', '/a'), at('x:b', '/b')).routes.length, 6)
})
