import { isObject, sameJson } from '../json/json.ts'
import { apiRequests, discoveries, europa, moon, normalForm, type Stage, scenario } from './stage.ts'

const WELL_KNOWN = '/.well-known/world.json'

/** Has the client get an entity from a world whose API is at `api`. Fails unless the client requests `path`. */
async function expectPath(stage: Stage, api: string, path: string): Promise<void> {
  const world = await stage.world({ api, entity: () => ({ json: moon('europa') }) })
  await stage.succeed(europa(world))
  const asked = apiRequests(world).map((request) => request.target)
  const right = asked.map(normalForm).join() === normalForm(path)
  stage.demand(right, `the client asked for ${asked.join(', ') || 'nothing'}, not ${path}`)
}

/** Values of `endpoints.api` that every client must reject. */
const BAD_APIS: readonly ((origin: string) => unknown)[] = [
  () => '/api/world/v0',
  (origin) => `${origin.replace('://', '://user:pass@')}/api/world/v0`,
  (origin) => `${origin}/api/world/v0?v=1`,
  (origin) => `${origin}/api/world/v0#top`,
  (origin) => origin.replace('http:', 'ftp:'),
  () => 42,
]

/** Client scenarios: the API address comes from discovery and is used unchanged. Ordered by rule. */
export const addressScenarios = [
  scenario(
    'L1-service-4.a',
    'the origin is all a client needs, and the discovery document the first thing it asks for',
    async (stage) => {
      const world = await stage.world()
      await stage.object(['show', world.origin])
      const [first] = world.requests
      stage.demand(first?.method === 'GET' && first.target === WELL_KNOWN, 'the first request is another')
    },
  ).also('L1-service-6', 'L1-endpoints-1'),
  scenario('L1-routes-5.a', 'discovery is asked for with Accept: application/json', async (stage) => {
    const world = await stage.world()
    await stage.object(['show', world.origin])
    const accept = world.requests[0]?.headers['accept']
    stage.demand(accept?.includes('application/json'), `Accept is ${accept ?? 'absent'}`)
  }),
  scenario('L1-endpoints-6.a', 'every call is made with Accept: application/json', async (stage) => {
    const world = await stage.world()
    const calls = [europa(world), ['list', world.origin, 'sol:moon'], ['discover', world.origin]]
    for (const args of calls) await stage.succeed(args)
    for (const { headers } of apiRequests(world)) {
      const { accept } = headers
      stage.demand(accept?.includes('application/json'), `Accept is ${accept ?? 'absent'}`)
    }
  }),
  scenario('L1-service-5.a', 'an API with a prefix of its own is asked there, and nowhere else', (stage) =>
    expectPath(stage, '/odd/place/v7', '/odd/place/v7/entities/sol%3Amoon/europa'),
  ).also('L1-routes-10', 'L1-versioning-4', 'D1-17'),
  scenario('L1-routes-10.a', 'an API on another origin is asked there', async (stage) => {
    const far = await stage.world()
    const near = await stage.world({ api: `${far.origin}/api/world/v0` })
    await stage.succeed(europa(near))
    stage.demand(apiRequests(near).length === 0, 'the origin of the discovery document was asked')
    stage.demand(apiRequests(far).length === 1, 'the API was not asked once')
  }).also('L1-endpoints-1', 'D1-17'),
  scenario(
    'L1-versioning-2.a',
    'endpoints.api is used without change: letter case, escapes and version stay',
    (stage) => expectPath(stage, '/Caf%C3%A9/a%20b/V9', '/Caf%C3%A9/a%20b/V9/entities/sol%3Amoon/europa'),
  ).also('L1-versioning-3'),
  scenario('L1-versioning-3.a', 'where the API is not found, no other place is guessed', async (stage) => {
    const world = await stage.world({ api: '/gone/v3', entity: () => ({ status: 404, text: 'Not here.' }) })
    await stage.run(europa(world))
    stage.demand(apiRequests(world).length > 0, 'the API was not asked')
    const guessed = apiRequests(world).filter(({ path }) => !path.startsWith('/gone/v3/'))
    stage.demand(guessed.length === 0, `the client guessed ${guessed[0]?.target}`)
  }).also('L1-service-5'),
  scenario('D1-3.a', 'no second slash is put after an endpoints.api that ends in one', (stage) =>
    expectPath(stage, '/odd/v7/', '/odd/v7/entities/sol%3Amoon/europa'),
  ),
  scenario('D1-3.b', 'routes are appended to endpoints.api as text, its last part stays', (stage) =>
    expectPath(stage, '/v7', '/v7/entities/sol%3Amoon/europa'),
  ),
  scenario(
    'L1-service-8.a',
    'a document with nothing but protocol and endpoints.api is enough',
    async (stage) => {
      const world = await stage.world({
        document: (document) => {
          for (const name of Object.keys(document))
            if (!['protocol', 'endpoints'].includes(name)) delete document[name]
        },
      })
      await stage.object(['show', world.origin])
      await stage.object(europa(world))
      await stage.succeed(['discover', world.origin])
    },
  ).also('D1-41'),
  scenario('D1-42.a', 'members that a client does not know are kept', async (stage) => {
    const world = await stage.world({ document: (document) => (document['x-other'] = { deep: [1, null] }) })
    const shown = await stage.object(['show', world.origin])
    const kept = sameJson(shown['x-other'], { deep: [1, null] })
    stage.demand(kept, 'the member x-other is lost')
  }),
  scenario('D1-43.a', 'what is no discovery document fails with not_a_world', async (stage) => {
    for (const reply of [
      { text: '<!doctype html><p>Hello' },
      { json: {} },
      { json: [] },
      { json: { protocol: 1 } },
    ]) {
      const world = await stage.world({ discovery: () => reply })
      await stage.fail(['show', world.origin], ['not_a_world'])
    }
  }),
  scenario(
    'D1-44.a',
    'another protocol version fails with unsupported_protocol, details offered and supported',
    async (stage) => {
      const world = await stage.world({ document: (document) => (document['protocol'] = 'world/9.9') })
      const { details } = await stage.fail(europa(world), ['unsupported_protocol'])
      const named = isObject(details) && 'offered' in details && 'supported' in details
      stage.demand(named, 'details do not have offered and supported')
      stage.demand(apiRequests(world).length === 0, 'the API was asked all the same')
    },
  ),
  scenario(
    'D1-5.a',
    'an endpoints.api that is no plain absolute http URL fails with invalid_response, and nothing is sent',
    async (stage) => {
      for (const bad of BAD_APIS) {
        const world = await stage.world({
          document: (document) => (document['endpoints'] = { api: bad(world.origin) }),
        })
        await stage.fail(europa(world), ['invalid_response', 'not_a_world'])
        stage.demand(apiRequests(world).length === 0, 'a request was sent')
      }
    },
  ).also('D1-4'),
  scenario('D1-7.a', 'the complete URL of the discovery document is taken as an origin', async (stage) => {
    const world = await stage.world()
    await stage.object(['show', world.origin + WELL_KNOWN])
    stage.demand(discoveries(world).length === 1, 'the discovery document was not asked for')
  }),
  scenario(
    'D1-8.a',
    'an origin with a path, a query or user information fails with invalid_argument, and shows no password',
    async (stage) => {
      const world = await stage.world()
      const { origin } = world
      for (const bad of [`${origin}/path`, `${origin}/?q=1`, origin.replace('://', '://user:secret@')]) {
        const error = await stage.fail(['show', bad], ['invalid_argument'])
        stage.demand(!JSON.stringify(error).includes('secret'), 'the error object shows the password')
      }
      stage.demand(world.requests.length === 0, 'a request was sent')
    },
  ).also('D1-6', 'D5-48'),
  scenario('D1-9.a', 'an address on loopback without a scheme is completed with http://', async (stage) => {
    const world = await stage.world()
    await stage.object(['show', world.origin.replace('http://', '')])
  }),
]
