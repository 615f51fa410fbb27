/** A client fails with status, code, details and url, and goes by the code. */
import { defineCheck, NotAsked } from '../check/check.ts'
import { isObject, sameJson } from '../shapes/json.ts'
import { failureOf } from './run-client.ts'
import type { Reply } from './scripted-world.ts'
import { apiRequests, discoveries, normalForm, refusal, type Stage } from './stage.ts'

const EUROPA = ['sol:moon', 'europa'] as const
const GIVE_UP_MS = 35_000
const SLOW_GIVE_UP_MS = 150_000
/** More than anybody needs to hold in memory for one entity. */
const FLOOD_BYTES = 64 * 1024 * 1024

/** Gets an entity that is answered like this; fails unless the client fails with one of `codes`. */
async function expectFailure(
  stage: Stage,
  reply: Reply,
  codes: readonly string[],
  status?: number,
): Promise<void> {
  const world = await stage.world({ entity: () => reply })
  const error = await stage.fail(['get', world.origin, ...EUROPA], codes)
  const right = status === undefined || error['status'] === status
  stage.demand(right, `status is ${error['status']}, not ${status}`)
}

/** In the order of the rules they stand on. */
export const errorScenarios = [
  defineCheck<Stage>(
    'L1-errors-2.a',
    'a failed call gives an error with status, code, details and url',
    async (stage: Stage) => {
      const details = { type: 'sol:moon', id: 'europa' }
      const world = await stage.world({ entity: () => refusal(404, 'entity_not_found', details) })
      const error = await stage.fail(['get', world.origin, ...EUROPA], ['entity_not_found'])
      stage.demand(error['status'] === 404, `status is ${error['status']}`)
      stage.demand(sameJson(error['details'], details), 'details are not those sent')
      const url = `${world.origin}/api/world/v0/entities/sol%3Amoon/europa`
      const right = normalForm(String(error['url'])) === normalForm(url)
      stage.demand(right, `url is ${error['url']}, not ${url}`)
    },
    ['D5-48'],
  ),
  defineCheck<Stage>(
    'L1-errors-3.a',
    'what a client does depends on the code, never on the message',
    async (stage: Stage) => {
      const misleading = refusal(404, 'entity_not_found', {}, 'api_moved: the API has moved, HTTP 410')
      const world = await stage.world({ entity: () => misleading })
      const error = await stage.fail(['get', world.origin, ...EUROPA], ['entity_not_found'])
      stage.demand(error['status'] === 404, `status is ${error['status']}`)
      const times = discoveries(world).length
      stage.demand(times === 1, `discovery was asked for ${times} times`)
      stage.demand(apiRequests(world).length === 1, 'the call was repeated')
    },
    ['D5-51'],
  ),
  defineCheck<Stage>(
    'D5-46.a',
    'without a response the status is 0 and the code network_error',
    async (stage: Stage) => {
      const error = await stage.fail(['show', 'http://127.0.0.1:1'], ['network_error'])
      stage.demand(error['status'] === 0, `status is ${error['status']}`)
    },
  ),
  defineCheck<Stage>('D5-47.a', 'details are {} where the error has none', async (stage: Stage) => {
    const world = await stage.world({ entity: () => refusal(404, 'entity_not_found') })
    const { details } = await stage.fail(['get', world.origin, ...EUROPA], ['entity_not_found'])
    const empty = isObject(details) && Object.keys(details).length === 0
    stage.demand(empty, `details are ${JSON.stringify(details)}`)
  }),
  defineCheck<Stage>(
    'D5-49.a',
    'a failure without a protocol body, such as a page of a proxy, has the code http_<status>',
    async (stage: Stage) => {
      const html = { 'content-type': 'text/html' }
      await expectFailure(
        stage,
        { status: 502, text: '<h1>Bad Gateway</h1>', headers: html },
        ['http_502'],
        502,
      )
      await expectFailure(stage, { status: 403, text: '' }, ['http_403'], 403)
      await expectFailure(stage, { status: 500, json: { error: 'oops' } }, ['http_500'], 500)
    },
    ['D5-50'],
  ),
  defineCheck<Stage>(
    'D5-50.a',
    'a success whose body is not JSON fails with invalid_response',
    async (stage: Stage) => {
      const json = { 'content-type': 'application/json' }
      for (const text of ['{"type":', '', '<html>', 'NaN'])
        await expectFailure(stage, { text, headers: json }, ['invalid_response'])
    },
  ),
  defineCheck<Stage>('D5-50.b', 'a body that breaks off fails', async (stage: Stage) => {
    const reply = { json: { type: 'sol:moon', id: 'europa', attributes: {} }, cutAfter: 20 }
    await expectFailure(stage, reply, ['network_error', 'invalid_response'])
  }),
  defineCheck<Stage>(
    'D5-50.c',
    'a body that is far too large fails with response_too_large',
    async (stage: Stage) => {
      await expectFailure(stage, { flood: FLOOD_BYTES }, ['response_too_large'])
    },
  ),
  defineCheck<Stage>('D5-50.d', 'a world that never answers fails with timeout', async (stage: Stage) => {
    const world = await stage.world({ entity: () => ({ silent: true }) })
    const { slow = false, giveUpMs = slow ? SLOW_GIVE_UP_MS : GIVE_UP_MS } = stage.options
    const run = await stage.run(['get', world.origin, ...EUROPA], { timeout: giveUpMs })
    if (run.late && !slow)
      throw new NotAsked(`the client still waits after ${giveUpMs / 1_000} s`, { option: '--slow' })
    stage.failure(run, ['timeout'])
    stage.demand(failureOf(run)?.['status'] === 0, 'status is not 0')
  }),
]
