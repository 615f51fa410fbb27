/** A client finds an API that has moved, by asking for the discovery document once more. */
import { defineCheck } from '../check/check.ts'
import type { Received, Reply } from './scripted-world.ts'
import type { Parts, Stage } from './stage.ts'
import { apiRequests, discoveries, documentFor, refusal } from './stage.ts'

const EUROPA = ['sol:moon', 'europa'] as const

/** A place where nothing listens: port 1 is for a service that nobody runs. */
const CLOSED = 'http://127.0.0.1:1/api/world/v0'

/** A world whose document names `first` until it is asked for a second time. */
function moving(
  first: string,
  second: () => string,
  entity: (request: Received) => Reply,
  change = {},
): Parts {
  return {
    api: first,
    discovery: (request, before) => {
      const origin = `http://${request.headers['host']}`
      const again = before.some((one) => one.path === request.path)
      const absolute = first.startsWith('/') ? origin + first : first
      return { json: { ...documentFor(again ? second() : absolute), ...(again ? change : {}) } }
    },
    entity,
  }
}

/** Plays a world that moves away from `first`; fails unless the entity is found after all. */
async function expectFound(stage: Stage, first: string, gone: Reply): Promise<void> {
  const target = await stage.world({ api: '/new/v1' })
  const world = await stage.world(
    moving(
      first,
      () => `${target.origin}/new/v1`,
      () => gone,
    ),
  )
  const got = await stage.object(['get', world.origin, ...EUROPA])
  stage.demand(got['id'] === 'europa', 'another entity was printed')
  stage.demand(discoveries(world).length === 2, 'the discovery document was not asked for twice')
  stage.demand(apiRequests(target).length === 1, 'the call was not repeated once')
}

/** In the order of the rules they stand on. */
export const movingScenarios = [
  defineCheck<Stage>(
    'D1-19.a',
    'on 410 api_moved the document is fetched again, and the call repeated at the new place',
    (stage) => expectFound(stage, '/old/v0', refusal(410, 'api_moved')),
    ['D1-23', 'L1-versioning-4'],
  ),
  defineCheck<Stage>(
    'D1-20.a',
    'on a 404 without a protocol error the document is fetched again, and the call repeated',
    (stage) => expectFound(stage, '/old/v0', { status: 404, text: '<h1>404</h1>' }),
    ['D1-23'],
  ),
  defineCheck<Stage>(
    'D1-21.a',
    'where the origin of the API cannot be reached the document is fetched again, and the call repeated',
    (stage) => expectFound(stage, CLOSED, {}),
    ['D1-23'],
  ),
  defineCheck<Stage>(
    'D1-22.a',
    'the document is fetched again only once, and the call not repeated where nothing changed',
    async (stage: Stage) => {
      const world = await stage.world({ entity: () => refusal(410, 'api_moved') })
      const { status } = await stage.fail(['get', world.origin, ...EUROPA], ['api_moved'])
      stage.demand(status === 410, `status is ${status}`)
      const times = discoveries(world).length
      stage.demand(times === 2, `the discovery document was asked for ${times} times`)
      stage.demand(apiRequests(world).length === 1, 'the call was repeated')
    },
    ['D1-23'],
  ),
  defineCheck<Stage>(
    'D1-22.b',
    'the second fetch of the document bypasses every cache',
    async (stage: Stage) => {
      const world = await stage.world({ entity: () => refusal(410, 'api_moved') })
      await stage.fail(['get', world.origin, ...EUROPA], ['api_moved'])
      const headers = discoveries(world)[1]?.headers ?? {}
      const control = `${headers['cache-control'] ?? ''} ${headers['pragma'] ?? ''}`
      stage.demand(/no-cache|no-store/.test(control), 'it does not say no-cache')
      stage.demand(headers['if-none-match'] === undefined, 'it is conditional')
    },
  ),
  defineCheck<Stage>(
    'D1-23.a',
    'a call is repeated at most once, also where the API moves on and on',
    async (stage: Stage) => {
      let step = 0
      const world = await stage.world({
        document: (document) => {
          step += 1
          document['endpoints'] = { api: `${world.origin}/v${step}` }
        },
        elsewhere: () => refusal(410, 'api_moved'),
      })
      await stage.fail(['get', world.origin, ...EUROPA], ['api_moved'])
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
    defineCheck<Stage>(
      id,
      `where the document, fetched again, has ${what} world.id, it fails with world_mismatch`,
      async (stage: Stage) => {
        const target = await stage.world({ api: '/new/v1' })
        const change = { world: { id: other } }
        const parts = moving(
          '/old/v0',
          () => `${target.origin}/new/v1`,
          () => refusal(410, 'api_moved'),
          change,
        )
        const world = await stage.world(parts)
        await stage.fail(['get', world.origin, ...EUROPA], ['world_mismatch'])
        stage.demand(apiRequests(target).length === 0, 'the other world was asked')
      },
    ),
  ),
]
