import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Log } from '../log/log.ts'
import { telemetryFor } from './telemetry-for.ts'

/** Asks for telemetry with these variables. Returns the failures that are logged. */
async function failures(t: TestContext, variables: Record<string, string>): Promise<string[]> {
  const before = { ...process.env }
  t.after(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  })
  Object.assign(process.env, variables)
  const said: string[] = []
  const log = { fail: ({ error }: { error: string }) => said.push(error) } as unknown as Log
  assert.equal(await telemetryFor(log), undefined)
  return said
}

test('an exporter or a protocol that is not supported is said, and nothing is exported', async (t) => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317' }
  const grpc = await failures(t, { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  assert.deepEqual(grpc, ['OTEL_*: only otlp with http/protobuf is supported, not otlp with grpc.'])
  const zipkin = { OTEL_TRACES_EXPORTER: 'zipkin', OTEL_METRICS_EXPORTER: 'none' }
  assert.deepEqual(await failures(t, { ...zipkin, OTEL_EXPORTER_OTLP_PROTOCOL: '' }), [
    'OTEL_*: only otlp with http/protobuf is supported, not zipkin with http/protobuf.',
  ])
})

test('nothing is exported or said without a variable that asks for it', async (t) => {
  assert.deepEqual(await failures(t, { OTEL_SERVICE_NAME: 'sol', OTEL_TRACES_EXPORTER: 'none' }), [])
})
