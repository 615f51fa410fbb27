import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operated } from './operator.fixture.ts'

const MOON = '/api/operator/v0/entities/sol%3Amoon'
const BODY = { attributes: { radiusKm: 1560.8 } }
const LINES = { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' }
const TOUCH = '/actions/sol%3Atouch'
const INPUT = { input: {} }

type World = Awaited<ReturnType<typeof operated>>

/** Removes and returns the entries so far, without constant members. Fails if an entry contains a secret. */
function taken({ audited, token }: World) {
  const entries = audited.splice(0)
  assert.ok(!JSON.stringify(entries).includes(token.slice(14)))
  return entries.map(({ event, token: id, tokenName, requestId: _, ...entry }) => {
    assert.deepEqual([event, id, tokenName], ['audit', token.slice(3, 13), 'loader'])
    return entry
  })
}

test('each write is audited with its token, entity and outcome', async () => {
  const world = await operated()
  const { send } = world
  const io = { type: 'sol:moon', id: 'eu ropa' }
  const europa = `${MOON}/eu%20ropa`
  await send('PUT', europa, BODY)
  await send('PATCH', europa, { title: 'Europa' })
  await send('PUT', europa, { attributes: { radiusKm: -1 } })
  await send('PUT', europa, '{')
  await send('PUT', europa, BODY, { 'if-none-match': '*' })
  await send('DELETE', europa)
  await send('DELETE', europa)
  assert.deepEqual(taken(world), [
    { method: 'PUT', status: 201, ...io },
    { method: 'PATCH', status: 200, ...io },
    { method: 'PUT', status: 422, code: 'invalid_entity', ...io },
    { method: 'PUT', status: 400, code: 'invalid_json', ...io },
    { method: 'PUT', status: 412, code: 'precondition_failed', ...io },
    { method: 'DELETE', status: 204, ...io },
    { method: 'DELETE', status: 404, code: 'entity_not_found', ...io },
  ])
})

test('a bulk write is audited when it ends, with its counts or its error code', async () => {
  const world = await operated()
  const row = '{"id":"a","attributes":{"radiusKm":1}}\n{"id":"b"}\n'
  const { body } = await world.ask('POST', MOON, LINES, pieces(row))
  const answer = (body as AsyncIterable<string>)[Symbol.asyncIterator]()
  await answer.next()
  assert.deepEqual(taken(world), [])
  for (let next = await answer.next(); !next.done; next = await answer.next());
  await world.send('POST', `${MOON}?onInvalid=stop`, row, LINES)
  await world.send('POST', `${MOON}?replace=no`, row, LINES)
  const write = { method: 'POST', type: 'sol:moon' }
  assert.deepEqual(taken(world), [
    { ...write, status: 200, rows: { created: 1, changed: 0, unchanged: 0, deleted: 0, rejected: 1 } },
    { ...write, status: 200, code: 'invalid_entity' },
    { ...write, status: 400, code: 'invalid_parameter' },
  ])
  const left = await world.ask('POST', MOON, LINES, pieces(row))
  for await (const _ of left.body as AsyncIterable<string>) break
  assert.deepEqual(taken(world), [{ ...write, status: 200 }])
})

test('calls to unsafe actions are audited; reads and safe calls are not', async () => {
  const world = await operated(['call', 'read'])
  for (const path of ['/api/world/v0', '/api/operator/v0']) {
    assert.equal((await world.send('POST', `${path}${TOUCH}`, INPUT)).status, 200)
    await world.send('POST', `${path}${TOUCH}`, {})
    assert.equal((await world.send('POST', `${path}/actions/sol%3Alook`, INPUT)).status, 200)
    await world.send('GET', `${path}/entities/sol:moon/io`)
  }
  const call = { method: 'POST', action: 'sol:touch' }
  const refused = { ...call, status: 400, code: 'invalid_input' }
  assert.deepEqual(taken(world), [{ ...call, status: 200 }, refused, { ...call, status: 200 }, refused])
})

test('forbidden requests are audited; requests without a valid token are not', async () => {
  const world = await operated(['read'])
  const refused = { status: 403, code: 'forbidden' }
  const io = { type: 'sol:moon', id: 'io' }
  for (const method of ['PUT', 'PATCH', 'DELETE']) await world.send(method, `${MOON}/io`, BODY)
  await world.send('POST', MOON, '{}\n', LINES)
  await world.send('POST', `/api/world/v0${TOUCH}`, INPUT)
  assert.deepEqual(taken(world), [
    { method: 'PUT', ...refused, ...io },
    { method: 'PATCH', ...refused, ...io },
    { method: 'DELETE', ...refused, ...io },
    { method: 'POST', ...refused, type: 'sol:moon' },
    { method: 'POST', ...refused, action: 'sol:touch' },
  ])
  const authorization = `Bearer ${world.token.slice(0, -1)}`
  assert.equal((await world.send('PUT', `${MOON}/io`, BODY, { authorization })).status, 401)
  assert.deepEqual(world.audited, [])
})

test('an audit entry contains the request id of its response', async () => {
  const { send, audited } = await operated()
  await send('PUT', `${MOON}/io`, BODY, { 'request-id': 'mine' })
  const { headers } = await send('PUT', `${MOON}/io`, {})
  assert.deepEqual(
    audited.map(({ requestId }) => requestId),
    ['mine', headers['request-id']],
  )
})

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
