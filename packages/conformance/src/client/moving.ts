import type { Reply, Script } from './scripted-world.ts'
import {
  apiRequests,
  discoveries,
  documentFor,
  europa,
  moon,
  type Parts,
  refusal,
  type Stage,
  scenario,
} from './stage.ts'

/** API address on which nothing listens: port 1 is reserved for a service that nobody runs. */
const CLOSED = 'http://127.0.0.1:1/api/world/v0'

/** Returns a world whose API responds with `gone`. Discovery gives the API address as `first`, and later as `second`. */
function moving(first: string, second: string, gone: Reply, change = {}): Parts {
  const discovery: Script = ({ path, headers }, before) => {
    if (before.some((one) => one.path === path)) return { json: { ...documentFor(second), ...change } }
    return { json: documentFor(first.startsWith('/') ? `http://${headers['host']}${first}` : first) }
  }
  return { api: first, discovery, entity: () => gone }
}

/** Serves a world whose API has moved away from `first`. Fails unless the client still gets the entity. */
async function expectFound(stage: Stage, first: string, gone: Reply): Promise<void> {
  const target = await stage.world({ api: '/new/v1' })
  const world = await stage.world(moving(first, `${target.origin}/new/v1`, gone))
  const got = await stage.object(europa(world))
  stage.demand(got['id'] === 'europa', 'another entity was printed')
  stage.demand(discoveries(world).length === 2, 'the discovery document was not asked for twice')
  stage.demand(apiRequests(target).length === 1, 'the call was not repeated once')
}

/** Client scenarios: when the API has moved, the client fetches the discovery document again. Ordered by rule. */
export const movingScenarios = [
  scenario(
    'L1-versioning-4.a',
    'when the API moves and the origin stays, a client finds the new place through discovery',
    async (stage) => {
      let place = '/old/v0'
      let told = place
      const world = await stage.world({
        discovery({ headers }) {
          const document = documentFor(`http://${headers['host']}${told}`)
          told = place
          return { json: document }
        },
        elsewhere: ({ path }) =>
          path.startsWith(`${place}/`) ? { json: moon('europa') } : refusal(410, 'api_moved'),
      })
      await stage.succeed(europa(world))
      place = '/new/v1'
      const run = await stage.run(europa(world))
      if (run.exitCode === 0) return
      stage.anyFailure(run, 410)
      await stage.succeed(europa(world))
      stage.advise(false, 'the client does not look for the new place before the next call')
    },
  ),
  scenario(
    'D1-19.a',
    'on 410 api_moved the document is fetched again, and the call repeated at the new place',
    (stage) => expectFound(stage, '/old/v0', refusal(410, 'api_moved')),
  ).also('D1-23', 'L1-versioning-4'),
  scenario(
    'D1-20.a',
    'on a 404 without a protocol error the document is fetched again, and the call repeated',
    (stage) => expectFound(stage, '/old/v0', { status: 404, text: '<h1>404</h1>' }),
  ).also('D1-23'),
  scenario(
    'D1-21.a',
    'where the origin of the API cannot be reached the document is fetched again, and the call repeated',
    (stage) => expectFound(stage, CLOSED, {}),
  ).also('D1-23'),
  scenario(
    'D1-22.a',
    'the document is fetched again only once, and the call not repeated where nothing changed',
    async (stage) => {
      const world = await stage.world({ entity: () => refusal(410, 'api_moved') })
      await stage.fail(europa(world), ['api_moved'], 410)
      const times = discoveries(world).length
      stage.demand(times === 2, `the discovery document was asked for ${times} times`)
      stage.demand(apiRequests(world).length === 1, 'the call was repeated')
    },
  ).also('D1-23'),
  scenario('D1-22.b', 'the second fetch of the document bypasses every cache', async (stage) => {
    const world = await stage.world({ entity: () => refusal(410, 'api_moved') })
    await stage.fail(europa(world), ['api_moved'])
    const headers = discoveries(world)[1]?.headers ?? {}
    const control = `${headers['cache-control'] ?? ''} ${headers['pragma'] ?? ''}`
    stage.demand(/no-cache|no-store/.test(control), 'it does not say no-cache')
    stage.demand(headers['if-none-match'] === undefined, 'it is conditional')
  }),
  scenario(
    'D1-23.a',
    'a call is repeated at most once, also where the API moves on and on',
    async (stage) => {
      let step = 0
      const world = await stage.world({
        document: (document) => {
          step += 1
          document['endpoints'] = { api: `${world.origin}/v${step}` }
        },
        elsewhere: () => refusal(410, 'api_moved'),
      })
      await stage.fail(europa(world), ['api_moved'])
      const calls = apiRequests(world).length
      stage.demand(calls <= 2, `the call was sent ${calls} times`)
    },
  ),
  ...(
    [
      ['D1-24.a', 'another', 'urn:example:other'],
      ['D1-27.a', 'in letter case alone another', 'urn:example:STAGE'],
    ] as const
  ).map(([id, what, other]) =>
    scenario(
      id,
      `where the document, fetched again, has ${what} world.id, it fails with world_mismatch`,
      async (stage) => {
        const target = await stage.world({ api: '/new/v1' })
        const gone = refusal(410, 'api_moved')
        const parts = moving('/old/v0', `${target.origin}/new/v1`, gone, { world: { id: other } })
        const world = await stage.world(parts)
        await stage.fail(europa(world), ['world_mismatch'])
        stage.demand(apiRequests(target).length === 0, 'the other world was asked')
      },
    ),
  ),
]
