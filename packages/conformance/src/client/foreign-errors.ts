import { type JsonObject, sameJson } from '../json/json.ts'
import type { Reply } from './scripted-world.ts'
import { BAD_GATEWAY, europa, moons, refusal, type Stage, scenario } from './stage.ts'

const JSON_TYPE = { 'content-type': 'application/problem+json' }

/** Has the client get an entity that the world refuses with `reply`. Fails unless the client reports the same status. */
async function expectRefusal(stage: Stage, reply: Reply): Promise<JsonObject> {
  const world = await stage.world({ entity: () => reply })
  const error = stage.anyFailure(await stage.run(europa(world)), reply.status)
  stage.expectUrl(error, `${world.origin}/api/world/v0/entities/sol%3Amoon/europa`)
  return error
}

/** Error bodies of foreign worlds, each with its code. */
const BODIES: readonly (readonly [body: unknown, code: string])[] = [
  [{ error: { code: 'GONE_FISHING', message: 'No.' } }, 'GONE_FISHING'],
  [{ errors: [{ code: 'no_moon', message: 'No.' }] }, 'no_moon'],
  [{ type: 'https://sol.example/problems/no-moon', title: 'No.', status: 404, code: 'no-moon' }, 'no-moon'],
]

/** Client scenarios: error bodies of foreign worlds, which contain the code in different places. Ordered by rule. */
export const foreignErrorScenarios = [
  scenario(
    'L1-errors-2.b',
    'an error whose code and message stand further inside is an error object all the same',
    async (stage) => {
      for (const [json] of BODIES) await expectRefusal(stage, { status: 404, json })
    },
  ),
  scenario(
    'L1-errors-2.c',
    'an error whose code is a number is an error object all the same',
    async (stage) => {
      await expectRefusal(stage, { status: 409, json: { code: 4711, message: 'No.' } })
    },
  ),
  scenario(
    'L1-errors-2.d',
    'an error without a body, or with the page of a proxy, is an error object all the same',
    async (stage) => {
      await expectRefusal(stage, { status: 500, text: '' })
      await expectRefusal(stage, BAD_GATEWAY)
    },
  ),
  scenario('L1-errors-2.e', 'a list that is refused fails; it is not empty', async (stage) => {
    const world = await stage.world({ list: () => refusal(503, 'unavailable') })
    stage.anyFailure(await stage.run(moons(world)), 503)
  }),
  scenario('L1-errors-2.f', 'a search that is refused fails; it is not without results', async (stage) => {
    const world = await stage.world({ discover: () => refusal(503, 'unavailable') })
    stage.anyFailure(await stage.run(['discover', world.origin, 'ice']), 503)
  }),
  scenario('L1-errors-2.g', 'a discovery document that is refused is a failed call too', async (stage) => {
    const world = await stage.world({ discovery: () => refusal(503, 'unavailable') })
    const error = stage.anyFailure(await stage.run(europa(world)), 503)
    stage.demand(String(error['url']).endsWith('/.well-known/world.json'), `url is ${error['url']}`)
  }),
  scenario(
    'D7-8.a',
    'the code is found at the top, in error, in errors, and in a problem of RFC 9457',
    async (stage) => {
      for (const [json, code] of BODIES) {
        const error = await expectRefusal(stage, { status: 404, json, headers: JSON_TYPE })
        stage.demand(error['code'] === code, `the code is ${JSON.stringify(error['code'])}, not ${code}`)
      }
    },
  ),
  scenario('D7-8.b', 'a code of another scalar kind is taken as text', async (stage) => {
    const error = await expectRefusal(stage, { status: 409, json: { code: 4711, message: 'No.' } })
    stage.demand(error['code'] === '4711', `the code is ${JSON.stringify(error['code'])}, not "4711"`)
  }),
  scenario('D7-8.c', 'details of any kind reach the caller as they came', async (stage) => {
    for (const details of [['a', 1], 'text', { deep: { b: null } }]) {
      const error = await expectRefusal(stage, { status: 404, json: { code: 'no', message: 'No.', details } })
      const shown = JSON.stringify(error['details'])
      stage.demand(sameJson(error['details'], details), `${JSON.stringify(details)} became ${shown}`)
    }
  }),
]
