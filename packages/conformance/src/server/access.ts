import { NotApplicable, NotAsked } from '../check/check.ts'
import { demand, expectError, expectHeader, expectStatus } from '../http/expect.ts'
import { type JsonObject, objectIn, objectsIn } from '../json/json.ts'
import { ownList, requiresToken } from './subjects.ts'
import { check } from './target.ts'

function extensionsOf(document: JsonObject): string[] {
  return Object.keys(objectIn(document['extensions']))
}

/** Returns the names of the actions and extensions that go beyond Level 1. */
function namesIn(document: JsonObject): string[] {
  const actions = objectsIn(document['actions']).map(({ name }) => String(name))
  return [...actions, ...extensionsOf(document)]
}

/** Checks for sections 6 and 8 of the decisions: permission to read, and extensions to Level 1. Ordered by rule. */
export const accessChecks = [
  check('D6-26.a', 'reading needs no token where the world does not say so', async (target) => {
    if (await requiresToken(target)) throw new NotApplicable('the world is private')
    const headers = { authorization: undefined }
    expectStatus(await target.call(await ownList(target), { headers }), 200)
  }),
  check('D6-27.a', 'a private world takes a token in Authorization: Bearer', async (target) => {
    if (!(await requiresToken(target))) throw new NotApplicable('the world is not private')
    if (target.options.token === undefined) throw new NotAsked('the world is private', { option: '--token' })
    expectStatus(await target.call(await ownList(target)), 200)
  }),
  check(
    'D6-28.a',
    'a world that needs a token says so in a discovery document that needs none',
    async (target) => {
      const open = await target.discover({ input: {} }, { authorization: undefined })
      if (open.status !== 401) throw new NotApplicable('the world is not private')
      const { exchange } = await target.document()
      demand(await requiresToken(target), 'authentication.required is not true', exchange)
    },
  ),
  check(
    'D8-1.a',
    'every action beside wp:discover has a namespace of its own, every extension one too',
    async (target) => {
      const { document, exchange } = await target.document()
      for (const name of namesIn(document)) {
        const own = /^[^:]+:[^:]+$/.test(name) && (name === 'wp:discover' || !name.startsWith('wp:'))
        demand(own, `the name ${name}`, exchange)
      }
    },
  ),
  check('D8-3.a', 'the name wp:changes is not used', async (target) => {
    const { document, exchange } = await target.document()
    const used = namesIn(document).includes('wp:changes')
    demand(!used, 'wp:changes is used', exchange)
    const called = await target.discover({ input: {} }, {}, 'actions/wp%3Achanges')
    expectError(called, 404, 'unknown_action')
  }),
  check(
    'D8-4.a',
    'the operator API is at /api/operator/v0 behind a token where it is declared, and else not there',
    async (target) => {
      const { document } = await target.document()
      const { origin } = await target.api()
      if (origin !== target.origin) throw new NotApplicable('the API is on another origin')
      const declared = extensionsOf(document).includes('worldwright:operator')
      const exchange = await target.atOrigin(`/api/operator/v0/${await ownList(target)}`)
      if (declared) expectError(exchange, 401, 'unauthenticated', 'schemes')
      else expectError(exchange, 404, 'not_found')
    },
  ).also('D1-40', 'D8-5'),
  check('D8-12.a', 'the explorer at / is an HTML page', async (target) => {
    const exchange = await target.atOrigin('/', { headers: { accept: 'text/html' } })
    if (exchange.status === 404) throw new NotApplicable('this world serves no explorer')
    expectStatus(exchange, 200)
    expectHeader(exchange, 'Content-Type', /^text\/html\b/i)
  }),
  check('D8-13.a', 'the OpenAPI description is at /openapi.json', async (target) => {
    const exchange = await target.atOrigin('/openapi.json')
    if (exchange.status === 404) throw new NotApplicable('this world serves no OpenAPI description')
    expectStatus(exchange, 200)
    const version = exchange.member('openapi')
    demand(/^3\./.test(String(version)), `openapi is ${JSON.stringify(version)}`, exchange)
  }),
  check('D8-14.a', 'MCP at /mcp speaks JSON-RPC', async (target) => {
    const exchange = await target.atOrigin('/mcp', {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    if (exchange.status === 404) throw new NotApplicable('this world serves no MCP')
    demand(/"jsonrpc"\s*:\s*"2\.0"/.test(exchange.text), 'no JSON-RPC message comes back', exchange)
  }),
]
