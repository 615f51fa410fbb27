import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../log/log.ts'
import { telemetryFor } from './telemetry-for.ts'

/** Asks for telemetry with these variables. Returns the failures that are logged. */
async function failures(variables: Record<string, string>): Promise<string[]> {
  const said: string[] = []
  const log = { fail: ({ error }: { error: string }) => said.push(error) } as unknown as Log
  Object.assign(process.env, variables)
  try {
    assert.equal(await telemetryFor(log), undefined)
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
  return said
}

test('an exporter or a protocol that is not supported is said, and nothing is exported', async () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317' }
  const grpc = await failures({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  assert.deepEqual(grpc, ['OTEL_*: only otlp with http/protobuf is supported, not otlp with grpc.'])
  const zipkin = { OTEL_TRACES_EXPORTER: 'zipkin', OTEL_METRICS_EXPORTER: 'none' }
  assert.deepEqual(await failures({ ...zipkin, OTEL_EXPORTER_OTLP_PROTOCOL: '' }), [
    'OTEL_*: only otlp with http/protobuf is supported, not zipkin with http/protobuf.',
  ])
})

test('nothing is exported or said without a variable that asks for it', async () => {
  assert.deepEqual(await failures({ OTEL_SERVICE_NAME: 'sol', OTEL_TRACES_EXPORTER: 'none' }), [])
})
