import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { connect } from '@worldwright/client'
import { memoryWorld } from '@worldwright/client/testing'
import { serveAgents } from '@worldwright/mcp'

const EUROPA = { type: 'sol:moon', id: 'europa', attributes: {} }

/** Serves a world in memory over streams. `ask` sends a request and returns its answer; `told` waits for a notification. */
async function agent(t: TestContext) {
  const world = memoryWorld({ entities: [EUROPA, { ...EUROPA, id: 'io' }] })
  const open = () => connect(world.origin, { fetch: world.fetch })
  const [stdin, stdout, ending] = [new PassThrough(), new PassThrough(), new AbortController()]
  const served = serveAgents(
    [{ name: 'sol', hasToken: false, open }],
    { stdin, stdout, signal: ending.signal },
    (error) => {
      throw error
    },
  )
  t.after(async () => {
    ending.abort()
    await served
  })
  const waiting = new Map<unknown, (message: { result?: unknown; params?: unknown }) => void>()
  createInterface({ input: stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id ?? message.method)?.(message)
  })
  const told = (key: unknown) => new Promise<{ params?: unknown }>((resolve) => waiting.set(key, resolve))
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let last = 0
  const ask = (method: string, params: object) => {
    const answer = told(++last)
    send({ id: last, method, params })
    return answer
  }
  return { world, stdin, served, ask, send, told }
}

const URI = 'https://memory.example/memory/v0/entities/sol%3Amoon/europa'

/** Changes an entity that nobody asked about, then the one of the subscription, until it is told. */
async function changed(t: TestContext, { world, told }: Awaited<ReturnType<typeof agent>>): Promise<unknown> {
  const updated = told('notifications/resources/updated')
  let title = 0
  const writing = setInterval(() => {
    for (const id of ['io', 'europa']) world.put({ ...EUROPA, id, title: `${title++}` })
  }, 20)
  t.after(() => clearInterval(writing))
  return (await updated).params
}

test('a client of 2025 is told of changes of what it subscribed to, and of nothing else', async (t) => {
  const served = await agent(t)
  const clientInfo = { name: 'test', version: '1' }
  await served.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  served.send({ method: 'notifications/initialized' })
  await served.ask('resources/subscribe', { uri: URI })
  assert.deepEqual(await changed(t, served), { uri: URI })
})

test('a client of 2026 that has read a resource is told of its changes', async (t) => {
  const served = await agent(t)
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  await served.ask('resources/read', { uri: URI, _meta })
  void served.ask('subscriptions/listen', { notifications: { resourceSubscriptions: [URI] }, _meta })
  assert.partialDeepStrictEqual(await changed(t, served), { uri: URI })
})

test('serving ends when the agent closes its stream', async (t) => {
  const { stdin, served } = await agent(t)
  stdin.end()
  await served
})
