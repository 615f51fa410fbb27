import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from './otlp-receiver.ts'
import { EUROPA, serving, status, stop } from './telemetry-world.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

async function discover(origin: string, question: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${origin}/api/world/v0/actions/wp:discover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ input: { text: question } }),
  })
  await answer.arrayBuffer()
  return answer.status
}

test('spans of a served world continue the trace of the caller, and workers export by themselves', async (t) => {
  const collector = await startReceiver(t)
  const served = await serving(
    t,
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    '--workers',
    '2',
    '--admin-port',
    '0',
  )
  await served.until(/Workers ready/)
  const traceparent = `00-${TRACE}-${CALLER}-01`
  assert.equal(await status(served.origin + EUROPA, { traceparent }), 200)
  assert.equal(
    await discover(served.origin, 'secretmoonword', { traceparent, authorization: 'Bearer hush' }),
    200,
  )
  assert.equal(await status(`${served.origin}/nothing/of/ada-lovelace`, { traceparent }), 404)
  assert.equal(await stop(served), 0)

  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE)
  const requests = spans.filter(({ parent }) => parent === CALLER)
  const named = (name: string) => spans.filter((span) => span.name.includes(name))
  const [read] = named('entities/{type}/{id}')
  assert.deepEqual(read?.attributes, {
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.route': '/api/world/v0/entities/{type}/{id}',
  })
  assert.deepEqual([named('store get')[0]?.parent, read.isError], [read.spanId, false])
  const [search] = named('search')
  const asker = requests.find(({ spanId }) => spanId === search?.parent)
  assert.match(asker?.name ?? '', /^POST .*actions/)
  const lost = requests.find(({ attributes }) => attributes['http.response.status_code'] === 404)
  assert.deepEqual([lost?.name, lost?.attributes['error.type']], ['GET', 'not_found'])
  assert.equal(requests.length, 3)
  for (const word of ['secretmoonword', 'hush', 'ada-lovelace', 'europa'])
    assert.ok(!collector.text().includes(word), word)

  const counted = collector.points.filter(({ name }) => name === 'world_request_duration_seconds')
  assert.equal(
    counted.reduce((sum, { value }) => sum + value, 0),
    3,
  )
  for (const { kind, unit, value, buckets = [], bounds = [] } of counted) {
    assert.deepEqual([kind, unit, buckets.length], ['histogram', 's', bounds.length + 1])
    assert.equal(
      buckets.reduce((sum, count) => sum + count, 0),
      value,
    )
  }
  const moons = collector.points.find(
    ({ name, attributes }) => name === 'world_entities' && attributes['type'] === 'sol:moon',
  )
  assert.ok((moons?.value ?? 0) > 0)
  // The primary and two workers.
  assert.equal(new Set(collector.points.map(({ instance }) => instance)).size, 3)
})

test('an invalid traceparent begins a new trace, and breaks no request', async (t) => {
  const collector = await startReceiver(t)
  const served = await serving(
    t,
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` },
    '--workers',
    '1',
  )
  const hostile = [
    `00-${TRACE}-${CALLER}`,
    `00-${TRACE.toUpperCase()}-${CALLER}-01`,
    `00-${'0'.repeat(32)}-${CALLER}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${CALLER}-01`,
    `00-${TRACE}-${CALLER}-01, 00-${TRACE}-${CALLER}-01`,
    'x'.repeat(4_000),
    '__proto__',
  ]
  for (const traceparent of hostile)
    assert.equal(await status(served.origin + EUROPA, { traceparent, tracestate: '='.repeat(2_000) }), 200)
  assert.equal(await stop(served), 0)
  const requests = collector.spans.filter(({ name }) => name.startsWith('GET'))
  assert.equal(requests.length, hostile.length)
  assert.deepEqual([...new Set(requests.map(({ parent }) => parent))], [''])
  assert.equal(new Set(requests.map(({ traceId }) => traceId)).size, hostile.length)
  assert.deepEqual(collector.points, [])
})
