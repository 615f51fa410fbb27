import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { type Answer, DOCUMENT, SECRET, scriptedFetch } from './scripted-fetch.fixture.ts'

const to = (location: string, status = 302) => new Response(null, { status, headers: { location } })

async function worldOf(...answers: Answer[]) {
  const script = scriptedFetch(DOCUMENT, ...answers)
  const options = { fetch: script.fetch, ...SECRET, headers: { 'x-key': 'k' }, retries: 0 }
  return { world: await connect('https://sol.example', options), ...script }
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a ${status} response to a read is followed, with the token if the origin is the same`, async () => {
    const { world, sent } = await worldOf(to('/moved?x=1', status), { id: 'europa' })
    assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
    assert.equal(sent[2]?.url, 'https://data.sol.example/moved?x=1')
    assert.equal(sent[2]?.headers.get('authorization'), 'Bearer s3cret')
    assert.equal(sent[2]?.init.redirect, 'manual')
  })
}

test('cross-origin redirects drop the token and custom headers, also on the way back', async () => {
  const { world, sent } = await worldOf(to('https://cdn.example/a'), to('https://data.sol.example/b'), {
    id: 'europa',
  })
  await world.get('sol:moon', 'europa')
  for (const { headers } of sent.slice(2)) {
    assert.deepEqual([...headers.keys()], ['accept'])
  }
  assert.equal(sent[1]?.headers.get('x-key'), 'k')
})

test('a different port is a different origin', async () => {
  const { world, sent } = await worldOf(to('https://data.sol.example:8443/a'), { id: 'europa' })
  await world.get('sol:moon', 'europa')
  assert.equal(sent[2]?.headers.has('authorization'), false)
})

test('at most three redirects are followed', async () => {
  const three = await worldOf(to('/1'), to('/2'), to('/3'), { id: 'europa' })
  assert.equal((await three.world.get('sol:moon', 'europa')).id, 'europa')
  const four = await worldOf(to('/1'), to('/2'), to('/3'), to('/4'), { id: 'europa' })
  await assert.rejects(four.world.get('sol:moon', 'europa'), {
    code: 'http_302',
    status: 302,
    url: 'https://data.sol.example/w/v3/entities/sol%3Amoon/europa',
  })
  assert.equal(four.sent.length, 5)
})

test('a redirect from https to http is refused with insecure_endpoint', async () => {
  const { world, sent } = await worldOf(to('http://data.sol.example/w'))
  await assert.rejects(world.get('sol:moon', 'europa'), { code: 'insecure_endpoint', status: 302 })
  assert.equal(sent.length, 2)
  const discovery = scriptedFetch(to('http://sol.example/.well-known/world.json'))
  await assert.rejects(connect('https://sol.example', { fetch: discovery.fetch }), {
    code: 'insecure_endpoint',
  })
})

test('a discovery redirect from http to https is followed', async () => {
  const { fetch } = scriptedFetch(to('https://sol.example/.well-known/world.json', 301), DOCUMENT)
  assert.equal((await connect('http://sol.example', { fetch })).origin, 'http://sol.example')
})

test('a POST is followed with its method and body on 307 and 308 only', async () => {
  for (const status of [307, 308]) {
    const { world, sent } = await worldOf(to('https://cdn.example/a', status), { output: { entities: [] } })
    await world.discover({ text: 'ice' })
    assert.equal(sent[2]?.method, 'POST')
    assert.equal(sent[2]?.body, '{"input":{"text":"ice"}}')
    assert.deepEqual([...(sent[2]?.headers.keys() ?? [])], ['accept', 'content-type'])
  }
  for (const status of [301, 302, 303]) {
    const { world, sent } = await worldOf(to('/a', status))
    await assert.rejects(world.discover(), { code: `http_${status}` })
    assert.equal(sent.length, 2)
  }
})

test('a redirect to an unusable address is returned as the response', async () => {
  for (const location of [
    '',
    'https://',
    'https://u:p@data.sol.example/',
    'data:application/json,{}',
    'file:///etc/passwd',
  ]) {
    const { world, sent } = await worldOf(to(location))
    await assert.rejects(world.get('sol:moon', 'europa'), { code: 'http_302' }, location)
    assert.equal(sent.length, 2)
  }
})

test('redirects that the platform hides are left to the platform', async () => {
  const opaque = () => Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })
  const { world, sent } = await worldOf(opaque, { id: 'europa' })
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  assert.equal(sent[1]?.init.redirect, 'manual')
  assert.equal(sent[2]?.init.redirect, undefined)
  assert.equal(sent[2]?.url, sent[1]?.url)
})
