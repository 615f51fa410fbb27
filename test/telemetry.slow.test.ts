import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { NO_POSTGRES, startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { type Receiver, startReceiver } from './otlp-receiver.ts'
import { EUROPA, folder, serving, status, stop } from './telemetry-world.ts'

/** Module that appends the URL of each OpenTelemetry module that is loaded to the file LOADED. */
const WATCH = `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    if (url.includes('opentelemetry')) appendFileSync(process.env.LOADED, url + '\\n')
    return next(url, context)
  },
})
`

test('no OpenTelemetry module is loaded unless an OTEL variable asks for it', async (t) => {
  const at = await folder(t)
  await writeFile(join(at, 'watch.mjs'), WATCH)
  const loadedWith = async (env: Record<string, string>) => {
    const LOADED = join(at, 'loaded')
    await writeFile(LOADED, '')
    const NODE_OPTIONS = `--import ${join(at, 'watch.mjs')}`
    const served = await serving(t, { LOADED, NODE_OPTIONS, ...env }, '--workers', '2')
    assert.equal(await status(served.origin + EUROPA), 200)
    assert.equal(await stop(served), 0)
    return (await readFile(LOADED, 'utf8')).split('\n').filter(Boolean)
  }
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  assert.deepEqual(await loadedWith({ OTEL_SERVICE_NAME: 'sol' }), [])
  assert.deepEqual(await loadedWith({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), [])
  assert.ok((await loadedWith(endpoint)).some((url) => url.includes('sdk-trace')))
})

/** Answers as a collector that is down, hangs, or sends garbage. Returns its endpoint. */
async function badCollector(t: TestContext, kind: 'down' | 'hangs' | 'garbage'): Promise<string> {
  const server = createServer(
    (_, response) => kind === 'garbage' && response.writeHead(200).end('\xff\x00garbage'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  if (kind === 'down') close()
  else t.after(close)
  return `http://127.0.0.1:${port}`
}

for (const kind of ['down', 'hangs', 'garbage'] as const)
  test(`a collector that ${kind === 'garbage' ? 'sends garbage' : kind === 'down' ? 'is down' : kind} affects no request, and the end of the process by seconds only`, async (t) => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = await badCollector(t, kind)
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_METRIC_EXPORT_INTERVAL: '50' }
    const served = await serving(t, env, '--workers', '2')
    const said = kind === 'hangs' ? undefined : served.until(/"event":"telemetry"/)
    await served.until(/Workers ready/)
    for (let count = 0; count < 600; count++) assert.equal(await status(served.origin + EUROPA), 200)
    const begun = performance.now()
    assert.equal(await stop(served), 0)
    assert.ok(performance.now() - begun < 8_000)
    await said
  })

/** Returns the number of changes in all batches that a follower has exported. */
function followed({ spans }: Receiver): number {
  const batches = spans.filter(({ name }) => name === 'follower batch')
  return batches.reduce((sum, { attributes }) => sum + Number(attributes['world.changes']), 0)
}

test('a replica exports a span of each batch that it follows', async (t) => {
  const collector = await startReceiver(t)
  const upstream = await serving(t, {}, '--workers', '1')
  const env = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const served = await serving(t, env, '--follow', upstream.origin, '--workers', '1')
  while ((await status(served.origin + EUROPA)) !== 200);
  assert.equal(await stop(served), 0)
  assert.ok(followed(collector) > 100)
})

test('a node of a store in PostgreSQL exports a span of each snapshot that it takes over', async (t) => {
  const server = await startPostgres()
  if (server === undefined) return t.skip(NO_POSTGRES)
  t.after(() => server.end())
  const collector = await startReceiver(t)
  const cache = encodeURIComponent(join(await folder(t), 'replica'))
  const store = `${server.url}?cache=${cache}`
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const served = await serving(t, env, '--store', store, '--workers', '1')
  while ((await status(served.origin + EUROPA)) !== 200);
  assert.equal(await stop(served), 0)
  assert.ok(followed(collector) > 100)
})
