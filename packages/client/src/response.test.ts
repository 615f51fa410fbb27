import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { type Answer, DOCUMENT, scriptedFetch } from './scripted-fetch.fixture.ts'

const ORIGIN = 'https://sol.example'

async function worldOf(...answers: Answer[]) {
  const { fetch } = scriptedFetch(DOCUMENT, ...answers)
  return { world: await connect(ORIGIN, { fetch }) }
}

test('a discovery document over 1 MiB or any other body over 16 MiB fails with response_too_large', async () => {
  const endless = () => {
    let pulled = 0
    let cancelled = false
    const pull = (c: ReadableStreamDefaultController) => {
      pulled += 2 ** 16
      c.enqueue(new Uint8Array(2 ** 16))
    }
    const cancel = () => {
      cancelled = true
    }
    const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
    return { response: new Response(body), pulled: () => pulled, cancelled: () => cancelled }
  }
  const first = endless()
  const refused = connect(ORIGIN, { fetch: scriptedFetch(first.response).fetch })
  await assert.rejects(refused, { code: 'response_too_large', status: 200, details: { maxBytes: 1048576 } })
  assert.ok(first.pulled() <= 1048576 + 2 * 65536, `${first.pulled()}`)
  assert.equal(first.cancelled(), true)
  const second = endless()
  const { world } = await worldOf(second.response)
  await assert.rejects(world.get('sol:moon', 'europa'), {
    code: 'response_too_large',
    details: { maxBytes: 16777216 },
  })
  assert.ok(second.pulled() <= 16777216 + 2 * 65536)
})

test('a body of exactly the maximum size is accepted', async () => {
  const start = JSON.stringify(DOCUMENT)
  const { fetch } = scriptedFetch(new Response(start + ' '.repeat(1048576 - start.length)))
  await connect(ORIGIN, { fetch })
  const over = scriptedFetch(new Response(start + ' '.repeat(1048577 - start.length)))
  await assert.rejects(connect(ORIGIN, { fetch: over.fetch }), { code: 'response_too_large' })
})

test('a body whose Content-Length exceeds the limit is not read', async () => {
  let pulled = 0
  const pull = (c: ReadableStreamDefaultController) => {
    pulled++
    c.enqueue(new Uint8Array(2 ** 10))
  }
  const body = new ReadableStream({ pull }, { highWaterMark: 0 })
  const announced = new Response(body, { headers: { 'content-length': '16777217' } })
  const { world } = await worldOf(announced)
  await assert.rejects(world.get('sol:moon', 'europa'), { code: 'response_too_large' })
  assert.ok(pulled <= 2, `${pulled}`)
})

test('a body in more than 100,000 chunks fails with response_too_large', async () => {
  const start = '{"id":"europa","pad":"'
  const inParts = (parts: number) => {
    let left = parts
    const pull = (c: ReadableStreamDefaultController) => {
      c.enqueue(new TextEncoder().encode(left === parts ? start : left === 1 ? '"}' : 'x'))
      if (--left === 0) c.close()
    }
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))
  }
  const { world } = await worldOf(inParts(100_000), inParts(100_002))
  assert.equal((await world.get('sol:moon', 'europa')).id, 'europa')
  await assert.rejects(world.get('sol:moon', 'europa'), { code: 'response_too_large' })
})

test('a character may be split between chunks, but a body that ends inside a character is not JSON', async () => {
  const bytes = new TextEncoder().encode('{"id":"🌍"}')
  const inBytes = (...parts: Uint8Array[]) =>
    new Response(
      new ReadableStream({
        start(c) {
          for (const part of parts) c.enqueue(part)
          c.close()
        },
      }),
    )
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
  const { world } = await worldOf(inBytes(...single), inBytes(bytes.slice(0, 9)))
  assert.equal((await world.get('sol:moon', 'x')).id, '🌍')
  await assert.rejects(world.get('sol:moon', 'x'), { code: 'invalid_response' })
})

test('a body that is not UTF-8 is not JSON, and its status is kept', async () => {
  const latin = () => new Uint8Array([...new TextEncoder().encode('{"id":"caf'), 0xe9, 0x22, 0x7d])
  const { world } = await worldOf(new Response(latin()), new Response(latin(), { status: 500 }))
  await assert.rejects(world.get('sol:moon', 'x'), { code: 'invalid_response', status: 200 })
  await assert.rejects(world.get('sol:moon', 'x'), { code: 'http_500' })
})
