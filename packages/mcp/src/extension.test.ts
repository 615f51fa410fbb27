import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Action, createWorld, type Extension, toFetch, WorldFault } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { mcp } from '@worldwright/mcp/extension'
import manifest from '../package.json' with { type: 'json' }

const ORIGIN = 'https://sol.example'
const EUROPA = { type: 'sol:moon', id: 'europa', title: 'Europa', attributes: { radiusKm: 1560.8 } }

/** Says who calls, after the test has let it go on. */
function whoAction(gate: Promise<void>): Action {
  return {
    description: { name: 'sol:who', safe: true, inputSchema: {}, outputSchema: {} },
    async call(_input, { caller }) {
      await gate
      return { output: JSON.stringify((await caller())?.id ?? null), warnings: [] }
    },
  }
}

const DEED: Action = {
  description: { name: 'sol:deed', safe: false, idempotencyKey: true, inputSchema: {}, outputSchema: {} },
  call: async (_input, { idempotencyKey }) => ({ output: JSON.stringify(idempotencyKey), warnings: [] }),
}

const SLIP: Action = {
  ...DEED,
  description: { name: 'sol:slip', safe: false, inputSchema: {}, outputSchema: {} },
}

/** Lets only callers with a token read, each by the name in it. */
const tokens: Extension = ({ callerOf, store }) => ({
  name: 'sol:tokens',
  writes: { store, validEntity: () => Promise.reject(new Error('none')) },
  authenticate: ({ headers: { authorization } }) =>
    authorization ? { id: authorization.replace('Bearer ', ''), scopes: [] } : undefined,
  async admit(request) {
    if (!(await callerOf(request))) throw new WorldFault('unauthenticated', 'This needs a token.')
  },
  admitCall() {},
})

async function served(extensions: Extension[], actions: Action[] = []) {
  const store = createMemoryStore()
  await store.write([{ put: EUROPA }])
  const options = { id: 'urn:x:sol', name: 'Sol', types: [{ type: 'sol:moon', title: 'Moon' }], store }
  const world = createWorld({ ...options, publicUrl: ORIGIN, extensions: [...extensions, mcp()], actions })
  return { store, world, fetch: toFetch(world) }
}

async function agentOf(t: TestContext, fetch: ReturnType<typeof toFetch>, token?: string): Promise<Client> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', ORIGIN), {
    fetch: (url, init) => fetch(String(url), init),
    requestInit: { headers },
  })
  await client.connect(transport)
  t.after(() => client.close())
  return client
}

async function textOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args })
  return (content as { text: string }[])[0]?.text ?? ''
}

test('a tool reads a private world with the token of its own request, and no other', async (t) => {
  const gate = Promise.withResolvers<void>()
  const { fetch } = await served([tokens], [whoAction(gate.promise)])
  const [anna, ben, nobody] = await Promise.all(
    ['anna', 'ben', undefined].map((name) => agentOf(t, fetch, name)),
  )
  assert.ok(anna && ben && nobody)
  const asked = [anna, ben, anna].map((client) => textOf(client, 'sol_who'))
  gate.resolve()
  const names = (await Promise.all(asked)).map((text) => /\noutput: (anna|ben)\n/.exec(text)?.[1])
  assert.deepEqual(names, ['anna', 'ben', 'anna'])
  assert.match(await textOf(nobody, 'get_entity', EUROPA_CALL), /^unauthenticated: .*\nThis needs a token/)
  assert.match(await textOf(anna, 'get_entity', EUROPA_CALL), /\nradiusKm: 1560\.8\n/)
  await assert.rejects(nobody.readResource({ uri: EUROPA_URI }), {
    code: -32_600,
    message: /^unauthenticated: .* This needs a token, which/,
  })
})

const EUROPA_URI = `${ORIGIN}/api/world/v0/entities/sol%3Amoon/europa`
const EUROPA_CALL = { type: 'sol:moon', id: 'europa' }

test('an action that writes is a tool only for callers with a token, and takes an idempotency key', async (t) => {
  const { fetch } = await served([tokens], [DEED, SLIP])
  const nobody = await agentOf(t, fetch)
  assert.equal(
    (await nobody.listTools()).tools.some(({ name }) => name === 'sol_deed'),
    false,
  )
  const anna = await agentOf(t, fetch, 'anna')
  assert.equal(
    (await anna.listTools()).tools.some(({ name }) => name === 'sol_slip'),
    false,
  )
  const deed = (await anna.listTools()).tools.find(({ name }) => name === 'sol_deed')
  assert.equal(deed?.annotations?.readOnlyHint, false)
  assert.match(await textOf(anna, 'sol_deed'), /^idempotencyKey is missing\./)
  assert.match(await textOf(anna, 'sol_deed', { idempotencyKey: 'k1' }), /\noutput: k1\n/)
})

test('entities are resources, whose changes are told to subscribers', async (t) => {
  const { fetch, store } = await served([changes()])
  const client = await agentOf(t, fetch)
  const { resourceTemplates } = await client.listResourceTemplates()
  const uri = EUROPA_URI
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    [`${ORIGIN}/api/world/v0/entities/{type}/{id}`],
  )
  const { contents } = await client.readResource({ uri })
  assert.partialDeepStrictEqual(JSON.parse((contents[0] as { text: string }).text), EUROPA)
  const updated = Promise.withResolvers<string>()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    updated.resolve(params.uri),
  )
  const subscription = await client.listen({ resourceSubscriptions: [uri] })
  const writing = setInterval(() => void store.write([{ put: { ...EUROPA, title: `${Math.random()}` } }]), 50)
  t.after(() => clearInterval(writing))
  assert.equal(await updated.promise, uri)
  await subscription.close()
  await assert.rejects(client.readResource({ uri: `${uri}x` }), /not found/i)
})

test('the card and the catalogue lead to the endpoint', async () => {
  const { fetch } = await served([])
  const [card, ard, catalogue] = await Promise.all(
    ['/mcp/server-card', '/.well-known/ard.json', '/.well-known/ai-catalog.json'].map(async (path) =>
      (await fetch(ORIGIN + path)).json(),
    ),
  )
  assert.partialDeepStrictEqual(card, {
    name: 'example.sol/world',
    version: manifest.version,
    title: 'Sol',
    remotes: [{ type: 'streamable-http', url: `${ORIGIN}/mcp` }],
  })
  assert.deepEqual(ard, catalogue)
  assert.partialDeepStrictEqual(ard, {
    specVersion: '1.0',
    entries: [{ type: 'application/mcp-server-card+json', url: `${ORIGIN}/mcp/server-card` }],
  })
})

test('pages of other origins are refused', async () => {
  const { fetch } = await served([])
  const post = async (origin: string) => {
    const headers = {
      origin,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'
    return (await fetch(`${ORIGIN}/mcp`, { method: 'POST', headers, body })).status
  }
  assert.deepEqual(
    await Promise.all(['https://evil.example', 'null', ORIGIN, 'http://localhost:3000'].map(post)),
    [403, 403, 200, 200],
  )
})
