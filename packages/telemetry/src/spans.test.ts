import assert from 'node:assert/strict'
import { tracingChannel } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { context, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createWorld, type Extension } from '@worldwright/core'
import { createMemoryStore, StoreFault } from '@worldwright/core/store'
import { batchSpans, requestSpans, storeSpans } from './spans.ts'

/** Returns a tracer and the spans that have ended, as plain data. */
function recorder() {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const ended = () =>
    exporter.getFinishedSpans().map(({ name, attributes, status }) => ({
      name,
      attributes: { ...attributes },
      isError: status.code === SpanStatusCode.ERROR,
    }))
  return { tracer: provider.getTracer('test'), ended }
}

test('a batch is a span with its number of changes, and a failed one has the code of its error', async () => {
  const { tracer, ended } = recorder()
  batchSpans(tracer)
  await tracingChannel('worldwright:feed').tracePromise(async () => {}, { changes: 7 })
  const failing = async () => {
    throw new StoreFault('expired', 'for ada.lovelace@example.org')
  }
  await assert.rejects(tracingChannel('worldwright:follow').tracePromise(failing, { changes: 0 }))
  assert.deepEqual(ended(), [
    { name: 'feeder batch', attributes: { 'world.changes': 7 }, isError: false },
    { name: 'follower batch', attributes: { 'world.changes': 0, 'error.type': 'expired' }, isError: true },
  ])
})

test('calls to a store are spans only within a trace', async (t) => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  t.after(() => context.disable())
  const { tracer, ended } = recorder()
  const store = storeSpans(tracer, {
    ...createMemoryStore(),
    list: () => {
      throw new StoreFault('busy', 'for ada.lovelace@example.org')
    },
  })
  assert.equal(await store.get('sol:moon', 'io'), undefined)
  assert.deepEqual(ended(), [])
  await context.with(trace.setSpan(ROOT_CONTEXT, tracer.startSpan('request')), async () => {
    await store.get('sol:moon', 'io')
    await assert.rejects(async () => store.list('sol:moon', { limit: 1 }), { code: 'busy' })
  })
  assert.deepEqual(ended(), [
    { name: 'store get', attributes: {}, isError: false },
    { name: 'store list', attributes: { 'error.type': 'busy' }, isError: true },
  ])
})

test('the span of a failed request has its error code, and only a fault of the server makes it an error', async () => {
  const { tracer, ended } = recorder()
  const failing: Extension = () => ({
    name: 'test:failing',
    routes: [
      {
        path: '/failing',
        methods: {
          GET() {
            throw new StoreFault('busy', 'later')
          },
        },
      },
    ],
  })
  const world = createWorld({
    id: 'urn:example:sol',
    types: [],
    store: createMemoryStore(),
    publicUrl: 'https://sol.example',
    extensions: [failing, requestSpans(tracer)],
    log: () => {},
  })
  for (const target of ['/failing', '/missing']) await world.handle({ method: 'GET', target, headers: {} })
  const common = { 'http.request.method': 'GET' }
  assert.deepEqual(ended(), [
    {
      name: 'GET',
      attributes: { ...common, 'http.response.status_code': 503, 'error.type': 'unavailable' },
      isError: true,
    },
    {
      name: 'GET',
      attributes: { ...common, 'http.response.status_code': 404, 'error.type': 'not_found' },
      isError: false,
    },
  ])
})
