import assert from 'node:assert/strict'
import type { Query } from '../store/contract.ts'
import { createWorld } from './handler.ts'
import { API, DESCRIPTION, eachCall, ORIGIN, overStores, pieces } from './world.fixture.ts'

const MOON = `${API}/entities/sol:moon/io`
const PAGE = `${API}/entities/sol:moon?limit=2`

overStores('a read calls the store twice, or once if its response is cached', async ({ sol }) => {
  const { store } = await sol()
  let calls: string[] = []
  const counted = eachCall(store, (answer, name) => {
    calls.push(name)
    return answer()
  })
  const handler = createWorld({ ...DESCRIPTION, store: counted, publicUrl: ORIGIN })
  const asked = async (target: string) => {
    calls = []
    assert.equal((await handler.handle({ method: 'GET', target, headers: {} })).status, 200)
    return calls
  }
  // The very first request also reads the type versions.
  assert.deepEqual(await asked('/.well-known/world.json'), ['version', 'types'])
  assert.deepEqual(await asked(MOON), ['version', 'get'])
  assert.deepEqual(await asked(PAGE), ['version', 'list'])
  for (const target of [MOON, PAGE]) assert.deepEqual(await asked(target), ['version'], target)
  await store.write([{ put: { type: 'sol:planet', id: 'mars', attributes: {} } }])
  // After a write to another type, the types are reread once for all cached responses.
  assert.deepEqual(await asked(MOON), ['version', 'types'])
  assert.deepEqual(await asked(PAGE), ['version'])
})

overStores('a request that reads no data does not read the store version', async ({ sol }) => {
  const { store } = await sol()
  const refusing = { ...store, version: () => assert.fail('asked for its version') }
  const handler = createWorld({ ...DESCRIPTION, store: refusing, publicUrl: ORIGIN })
  assert.equal((await handler.handle({ method: 'OPTIONS', target: MOON, headers: {} })).status, 204)
  assert.equal((await handler.handle({ method: 'POST', target: MOON, headers: {} })).status, 405)
})

overStores('a wp:discover query can be sent to another process', async ({ sol }) => {
  const { store } = await sol()
  const sent = {
    ...store,
    find: ({ signal, ...query }: Query) => store.find({ ...structuredClone(query), signal }),
  }
  const nothing = () => assert.fail('written')
  const writes = { store: sent, validEntity: nothing }
  const extensions = [() => ({ name: 'sol:writes', writes })]
  const handler = createWorld({ ...DESCRIPTION, store: sent, publicUrl: ORIGIN, extensions })
  const { status } = await handler.handle({
    method: 'POST',
    target: `${API}/actions/wp:discover`,
    headers: { 'content-type': 'application/json' },
    body: pieces('{"input":{}}'),
  })
  assert.equal(status, 200)
})
