/** A client gives its token to the API alone. */
import { defineCheck, NotApplicable } from '../check/check.ts'
import type { Received } from './scripted-world.ts'
import { apiRequests, type Stage } from './stage.ts'

const EUROPA = ['sol:moon', 'europa'] as const
const SECRET = 'conformance-secret-4b1d'
const TOKEN = { env: { WORLD_TOKEN: SECRET } }

function tells(request: Received): boolean {
  return JSON.stringify(request).includes(SECRET)
}

/** Fails unless the API was given the token; not applicable for a client that has none. */
function expectToken(stage: Stage, request: Received | undefined): void {
  stage.demand(request !== undefined, 'the API was not asked')
  if (!tells(request)) throw new NotApplicable('the client does not use the token in WORLD_TOKEN')
  const { authorization } = request.headers
  stage.demand(authorization === `Bearer ${SECRET}`, `the token is not sent as Authorization: Bearer`)
}

/** In the order of the rules they stand on. */
export const tokenScenarios = [
  defineCheck<Stage>(
    'D6-27.a',
    'the token in WORLD_TOKEN is sent as Authorization: Bearer',
    async (stage: Stage) => {
      const world = await stage.world()
      await stage.succeed(['get', world.origin, ...EUROPA], TOKEN)
      expectToken(stage, apiRequests(world)[0])
    },
  ),
  defineCheck<Stage>('D6-29.a', 'only the origin of endpoints.api gets the token', async (stage: Stage) => {
    const far = await stage.world()
    const near = await stage.world({ api: `${far.origin}/api/world/v0` })
    await stage.succeed(['get', near.origin, ...EUROPA], TOKEN)
    expectToken(stage, apiRequests(far)[0])
    stage.demand(!near.requests.some(tells), 'the origin of the discovery document got the token')
  }),
  defineCheck<Stage>(
    'D6-30.a',
    'a token is not sent over plain http beyond loopback: the call fails with insecure_endpoint',
    async (stage: Stage) => {
      const usual = await stage.world()
      await stage.succeed(['get', usual.origin, ...EUROPA], TOKEN)
      expectToken(stage, apiRequests(usual)[0])
      const world = await stage.world({ api: 'http://world.invalid/api/world/v0' })
      await stage.fail(['get', world.origin, ...EUROPA], ['insecure_endpoint'], TOKEN)
    },
  ),
  defineCheck<Stage>(
    'D6-31.a',
    'a token does not go along with a redirect to another origin',
    async (stage: Stage) => {
      const other = await stage.world()
      const world = await stage.world({
        entity: ({ target }) => ({ status: 307, headers: { location: other.origin + target } }),
      })
      await stage.run(['get', world.origin, ...EUROPA], TOKEN)
      expectToken(stage, apiRequests(world)[0])
      stage.demand(!other.requests.some(tells), 'the other origin got the token')
    },
  ),
]
