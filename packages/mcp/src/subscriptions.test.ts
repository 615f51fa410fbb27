import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { type McpLimits, mcp } from '@worldwright/mcp/extension'

const PATH = '/api/world/v0/entities/sol%3Amoon/europa'
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Serves a world behind a proxy. `listen` subscribes to Europa through one of its names. */
async function served(t: TestContext, limits?: McpLimits) {
  const store = createMemoryStore()
  const write = () =>
    store.write([{ put: { type: 'sol:moon', id: 'europa', attributes: { at: Math.random() } } }])
  await write()
  const types = [{ type: 'sol:moon', title: 'Moon' }]
  const options = { id: 'urn:x:sol', name: 'Sol', types, store, trustProxy: true }
  const world = createWorld({ ...options, extensions: [changes(), mcp(limits)] })
  const fetch = toFetch(world)
  const ended = new AbortController()
  t.after(() => ended.abort())
  const post = (host: string, method: string, params: object, signal = ended.signal) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'x-forwarded-host': host,
      'x-forwarded-proto': 'https',
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: META, ...params } })
    return fetch('http://inner.example/mcp', { method: 'POST', headers, body, signal })
  }
  const listen = (host: string, signal?: AbortSignal) =>
    post(
      host,
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: [`https://${host}${PATH}`] } },
      signal,
    )
  const writing = setInterval(() => void write(), 50)
  t.after(() => clearInterval(writing))
  return { world, post, listen }
}

/** Collects garbage a few times, as a `Request` that is collected would pass no abort on. */
async function collected(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 5; round++) {
    await pause(10)
    collect()
  }
}

/** Reads the stream of a subscription until it tells of a change. Returns the address. */
async function told({ body }: Response): Promise<string | undefined> {
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const [, uri] = /resources\/updated.*"uri":"([^"]*)"/.exec(text) ?? []
    if (uri !== undefined) return uri
  }
  return undefined
}

test('each subscriber is told addresses under the name by which it reached the world', async (t) => {
  const { listen } = await served(t)
  const hosts = ['one.example', 'two.example']
  const uris = await Promise.all(hosts.map(async (host) => told(await listen(host))))
  assert.deepEqual(
    uris,
    hosts.map((host) => `https://${host}${PATH}`),
  )
})

test('a subscription outlives the handler that it began with', async (t) => {
  const { world, listen } = await served(t)
  const subscription = await listen('one.example')
  await world.close()
  assert.equal(await told(subscription), `https://one.example${PATH}`)
})

test('subscriptions count as event streams of their client until they end', async (t) => {
  let open = 0
  const enterStream = () => {
    if (open === 1) return undefined
    open += 1
    return () => {
      open -= 1
    }
  }
  const { listen, post } = await served(t, { enterStream })
  const leaving = new AbortController()
  await listen('one.example', leaving.signal)
  assert.equal(open, 1)
  await collected()
  const refused = await listen('one.example')
  assert.equal(refused.status, 429)
  assert.equal((await post('one.example', 'tools/list', {})).status, 200)
  leaving.abort()
  assert.equal(open, 0)
  assert.equal((await post('one.example', 'subscriptions/listen', {})).status, 200)
  assert.equal(open, 0)
})

test('at most as many subscriptions are open as event streams may be', async (t) => {
  const { listen } = await served(t, { maxStreams: 1 })
  await listen('one.example')
  assert.match(await (await listen('one.example')).text(), /Subscription limit reached/)
})

test('a request is as large as one of the API at most', async (t) => {
  const { post } = await served(t)
  const large = { name: 'search', arguments: { text: 'x'.repeat(65_536) } }
  assert.equal((await post('one.example', 'tools/call', large)).status, 413)
})
