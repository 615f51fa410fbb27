import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, isWorldError } from '@worldwright/client'
import { toFetch, type WorldHandler } from '@worldwright/core'
import { NAUGHTY_STRINGS } from './naughty.fixture.ts'
import { ask } from './plain.fixture.ts'
import { errorIn, requestText, responsesIn, talk } from './raw.fixture.ts'
import { API, DISCOVER, ORIGIN, served } from './served.fixture.ts'

/** Sends a request and returns its status and error code. */
async function outcomeOf(handler: WorldHandler, target: string, body?: string): Promise<string> {
  const method = body === undefined ? 'GET' : 'POST'
  const headers = { 'content-type': 'application/json' }
  const { status, code } = await ask(handler, target, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  return code === '' ? String(status) : `${status} ${code}`
}

function discover(handler: WorldHandler, input: unknown): Promise<string> {
  return outcomeOf(handler, DISCOVER, JSON.stringify({ input }))
}

test('a naughty string is accepted as a search text', async (t) => {
  assert.equal(NAUGHTY_STRINGS.length, 541)
  const { handler, events } = await served(t)
  for (const text of NAUGHTY_STRINGS)
    assert.equal(await discover(handler, { text }), '200', JSON.stringify(text))
  assert.deepEqual(events, [])
})

test('a naughty string is refused as a type, limit, action or cursor', async (t) => {
  const { handler, events } = await served(t)
  for (const text of NAUGHTY_STRINGS) {
    const name = JSON.stringify(text)
    const part = encodeURIComponent(text)
    assert.equal(await discover(handler, { types: [text] }), '400 invalid_input', name)
    assert.equal(await discover(handler, { limit: text }), '400 invalid_input', name)
    const action = await outcomeOf(handler, `${API}/actions/${part}`, '{"input":{}}')
    assert.equal(action, text === '' ? '404 not_found' : '404 unknown_action', name)
    const type = await outcomeOf(handler, `${API}/entities/${part}`)
    assert.equal(type, text === '' ? '404 not_found' : '400 invalid_type', name)
    const list = `${API}/entities/sol%3Amoon`
    assert.equal(await outcomeOf(handler, `${list}?cursor=${part}`), '400 invalid_cursor', name)
    const digits = /^[0-9]+$/.test(text)
    assert.equal(
      await outcomeOf(handler, `${list}?limit=${part}`),
      digits ? '200' : '400 invalid_parameter',
      name,
    )
    assert.equal(await outcomeOf(handler, `${list}?x${part}=${part}&x`), '200', name)
  }
  assert.deepEqual(events, [])
})

/** Matches anything that a valid id must not contain: control characters, line separators and dot segments. */
const OUTSIDE = /[\p{Cc}\u2028\u2029]|(?:^|[/\\])\.{1,2}(?:$|[/\\])/u

test('a naughty string used as an id never reaches another resource', async (t) => {
  const { port, events } = await served(t)
  let looked = 0
  for (const text of NAUGHTY_STRINGS) {
    const line = `GET ${API}/entities/sol%3Amoon/${encodeURIComponent(text)}`
    const [response] = responsesIn(await talk(port, requestText(line)))
    assert.ok(response !== undefined)
    const { code, details } = errorIn(response)
    const refused = OUTSIDE.test(text) || text.trim() !== text || Buffer.byteLength(text) > 512
    const expected = text === '' ? 'not_found' : refused ? 'invalid_id' : 'entity_not_found'
    assert.equal(code, expected, JSON.stringify(text))
    if (code === 'entity_not_found') {
      looked += 1
      assert.equal(details?.['id'], text)
    }
  }
  assert.ok(looked > 350, String(looked))
  assert.deepEqual(events, [])
})

test('the client either requests a naughty string unchanged or fails with invalid_argument before sending anything', async (t) => {
  const { handler, events } = await served(t, undefined, { world: { publicUrl: ORIGIN } })
  const direct = toFetch(handler)
  const sent: string[] = []
  const world = await connect(ORIGIN, {
    fetch: (target, init) => {
      sent.push(target)
      return direct(target, init)
    },
  })
  for (const text of NAUGHTY_STRINGS) {
    for (const call of [
      () => world.get('sol:moon', text),
      () => world.get(text, 'io'),
      () => world.list(text),
    ]) {
      sent.length = 0
      const error: unknown = await call().catch((thrown: unknown) => thrown)
      assert.ok(isWorldError(error), JSON.stringify(text))
      const codes = ['entity_not_found', 'invalid_id', 'invalid_type']
      if (sent.length === 0) assert.equal(error.code, 'invalid_argument', JSON.stringify(text))
      else assert.ok(codes.includes(error.code), `${JSON.stringify(text)}: ${error.code}`)
    }
    const cursor: unknown = await world.list('sol:moon', { cursor: text }).catch((thrown: unknown) => thrown)
    assert.ok(isWorldError(cursor) && cursor.code === 'invalid_cursor', JSON.stringify(text))
    assert.equal(typeof (await world.discover({ text })).total, 'number')
  }
  assert.deepEqual(events, [])
})

test('a naughty string in a header field affects only that field', async (t) => {
  const { port, events } = await served(t)
  const line = `GET ${API}/entities/sol%3Amoon/io`
  const names = ['Request-Id', 'If-None-Match', 'Accept', 'Accept-Encoding', 'X-Forwarded-Host', 'Forwarded']
  const [plain] = responsesIn(await talk(port, requestText(line)))
  assert.ok(plain !== undefined)
  const fields = [...plain.headers.keys()]
  const sendable = NAUGHTY_STRINGS.filter((text) => /^[\t\x20-\x7e\x80-\u{10ffff}]*$/u.test(text))
  for (const text of sendable) {
    const value = Buffer.from(text).toString('latin1')
    for (const name of names) {
      const shown = `${name}: ${JSON.stringify(text)}`
      const [response] = responsesIn(await talk(port, requestText(line, [`${name}: ${value}`])))
      assert.ok(response !== undefined)
      const { status, headers, body } = response
      if (status === 406) assert.deepEqual([name, errorIn(response).code], ['Accept', 'not_acceptable'])
      else if (status === 304) assert.deepEqual([name, text], ['If-None-Match', '*'])
      else assert.deepEqual([status, body], [200, plain.body], shown)
      const given: string | undefined = headers.get('request-id')
      if (status === 200) {
        const expected: string[] = given === undefined ? fields : [...fields, 'request-id']
        assert.deepEqual([...headers.keys()].toSorted(), expected.toSorted(), shown)
        if (given !== undefined) assert.deepEqual([name, given], ['Request-Id', text])
        assert.match(given ?? 'none', /^[A-Za-z0-9._~-]{1,64}$/)
      }
    }
  }
  assert.deepEqual(events, [])
})
