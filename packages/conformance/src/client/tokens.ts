import { NotApplicable } from '../check/check.ts'
import type { Received } from './scripted-world.ts'
import { apiRequests, europa, type Stage, scenario } from './stage.ts'

const SECRET = 'conformance-secret-4b1d'
const TOKEN = { env: { WORLD_TOKEN: SECRET } }

function tells(request: Received): boolean {
  return JSON.stringify(request).includes(SECRET)
}

/** Fails unless the API received the token. Throws NotApplicable if the client does not support tokens. */
function expectToken(stage: Stage, asked: Received | undefined): void {
  const request = stage.demand(asked, 'the API was not asked')
  if (!tells(request)) throw new NotApplicable('the client does not use the token in WORLD_TOKEN')
  const { authorization } = request.headers
  stage.demand(authorization === `Bearer ${SECRET}`, `the token is not sent as Authorization: Bearer`)
}

/** Client scenarios: the client sends the token only to the world's own origin. Ordered by rule. */
export const tokenScenarios = [
  scenario('D6-27.a', 'the token in WORLD_TOKEN is sent as Authorization: Bearer', async (stage) => {
    const world = await stage.world()
    await stage.succeed(europa(world), TOKEN)
    expectToken(stage, apiRequests(world)[0])
  }),
  scenario('D6-29.a', 'a token does not go to another origin that discovery names', async (stage) => {
    const usual = await stage.world()
    await stage.succeed(europa(usual), TOKEN)
    expectToken(stage, apiRequests(usual)[0])
    const other = await stage.world()
    const naming = await stage.world({ api: `${other.origin}/api/world/v0` })
    const leading = await stage.world({
      discovery: ({ target }) => ({ status: 307, headers: { location: other.origin + target } }),
    })
    for (const world of [naming, leading]) await stage.run(europa(world), TOKEN)
    stage.demand(!other.requests.some(tells), 'the other origin got the token')
  }),
  scenario(
    'D6-30.a',
    'a token is not sent over plain http beyond loopback: the call fails with insecure_endpoint',
    async (stage) => {
      const usual = await stage.world()
      await stage.succeed(europa(usual), TOKEN)
      expectToken(stage, apiRequests(usual)[0])
      const world = await stage.world({ api: 'http://world.invalid/api/world/v0' })
      stage.failure(await stage.run(europa(world), TOKEN), ['insecure_endpoint'])
    },
  ),
  scenario('D6-31.a', 'a token does not go along with a redirect to another origin', async (stage) => {
    const other = await stage.world()
    const world = await stage.world({
      entity: ({ target }) => ({ status: 307, headers: { location: other.origin + target } }),
    })
    await stage.run(europa(world), TOKEN)
    expectToken(stage, apiRequests(world)[0])
    stage.demand(!other.requests.some(tells), 'the other origin got the token')
  }),
]
