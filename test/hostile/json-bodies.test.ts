import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { realData } from '../real-data.ts'
import { errorIn, requestText, responsesIn, talk } from './raw.fixture.ts'
import { DISCOVER, served } from './served.fixture.ts'

/** Returns the files of one suite as bytes, by name; undefined if the data is missing. */
function bodies(context: TestContext, suite: string): [string, Buffer][] | undefined {
  const folder = realData(context, `hostile/${suite}`)
  if (folder === undefined) return undefined
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])
}

/** Sends a body over its own socket. Returns the status, and the code if there is one. */
async function answerTo(port: number, body: Uint8Array): Promise<{ status: number; code: string }> {
  const fields = ['Content-Type: application/json', `Content-Length: ${body.byteLength}`]
  const [response, ...more] = responsesIn(await talk(port, requestText(`POST ${DISCOVER}`, fields), body))
  assert.ok(response !== undefined && more.length === 0)
  return { status: response.status, code: response.status < 400 ? '' : errorIn(response).code }
}

/** Returns an otherwise valid discover request with a file's text as the value of an unknown member. */
function asMember(text: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('{"input":{"limit":0,"text":"europa","x":'), text, Buffer.from('}}')])
}

test('every body of JSONTestSuite is answered as its name says, alone and inside a request', async (t) => {
  const suite = bodies(t, 'JSONTestSuite')
  if (suite === undefined) return
  const { port, events } = await served(t)
  const counts: Record<string, number> = {}
  for (const [name, body] of suite) {
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
      // None of them is a valid request: those that are JSON are refused for their shape.
      assert.deepEqual([whole.status, whole.code], [400, 'invalid_input'], name)
      assert.equal(inside.status, 200, `${name}, inside`)
    }
    if (kind === 'i') assert.match(`${whole.status} ${whole.code}`, /^400 invalid_(?:json|input)$/, name)
  }
  assert.deepEqual(counts, { i: 35, n: 188, y: 95 })
  assert.deepEqual(events, [])
})

test('every body of the JSON checker is answered as its name says, except two that are valid JSON today', async (t) => {
  const suite = bodies(t, 'jsonchecker')
  if (suite === undefined) return
  const { port, events } = await served(t)
  // fail01 is a top-level string, valid since RFC 7159; fail18 is 20 levels deep, and JSON limits no depth.
  const allowedSince = new Set(['fail01.json', 'fail18.json'])
  for (const [name, body] of suite) {
    const valid = name.startsWith('pass') || allowedSince.has(name)
    const { status, code } = await answerTo(port, body)
    assert.deepEqual([status, code], [400, valid ? 'invalid_input' : 'invalid_json'], name)
    assert.equal((await answerTo(port, asMember(body))).status, valid ? 200 : 400, `${name}, inside`)
  }
  assert.equal(suite.length, 36)
  assert.deepEqual(events, [])
})

test('a body at the size limit is read, one byte more is 413', async (t) => {
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
