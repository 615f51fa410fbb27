import { NotAsked } from '../check/check.ts'
import { isObject, sameJson } from '../json/json.ts'
import type { Reply } from './scripted-world.ts'
import {
  apiRequests,
  BAD_GATEWAY,
  discoveries,
  europa,
  found,
  refusal,
  type Stage,
  scenario,
} from './stage.ts'

const GIVE_UP_MS = 35_000
const SLOW_GIVE_UP_MS = 150_000
/** Size of an oversized response, in bytes: more than a client should hold in memory for one entity. */
const FLOOD_BYTES = 64 * 1024 * 1024

/** Has the client get an entity; the world responds with `reply`. Fails unless the client reports one of `codes`. */
async function expectFailure(
  stage: Stage,
  reply: Reply,
  codes: readonly string[],
  status?: number,
): Promise<void> {
  const world = await stage.world({ entity: () => reply })
  await stage.fail(europa(world), codes, status)
}

/** Client scenarios: errors with status, code, details and url, and behaviour that depends on the code. Ordered by rule. */
export const errorScenarios = [
  scenario(
    'L1-errors-2.a',
    'a failed call gives an error with status, code, details and url',
    async (stage) => {
      const details = { type: 'sol:moon', id: 'europa' }
      const world = await stage.world({ entity: () => refusal(404, 'entity_not_found', details) })
      const error = await stage.fail(europa(world), ['entity_not_found'], 404)
      stage.demand(sameJson(error['details'], details), 'details are not those sent')
      stage.expectUrl(error, `${world.origin}/api/world/v0/entities/sol%3Amoon/europa`)
    },
  ).also('D5-48'),
  scenario('L1-errors-3.a', 'what a client does depends on the code, never on the message', async (stage) => {
    const misleading = refusal(404, 'entity_not_found', {}, 'api_moved: the API has moved, HTTP 410')
    const world = await stage.world({ entity: () => misleading })
    await stage.fail(europa(world), ['entity_not_found'], 404)
    const times = discoveries(world).length
    stage.demand(times === 1, `discovery was asked for ${times} times`)
    stage.demand(apiRequests(world).length === 1, 'the call was repeated')
  }).also('D5-51'),
  scenario(
    'L1-errors-2.h',
    'an action that failed is an error; it is not called again as if it were safe to repeat',
    async (stage) => {
      const later = { ...refusal(503, 'refused'), headers: { 'retry-after': '3600' } }
      for (const reply of [refusal(500, 'refused'), later]) {
        const world = await stage.world({
          document: (document) => (document['actions'] = ['wp:discover']),
          discover: (_, before) => (before.some(({ body }) => body !== '') ? { json: found([]) } : reply),
        })
        const run = await stage.run(['discover', world.origin, 'ice'])
        const calls = apiRequests(world).length
        stage.demand(calls === 1, `the action was called ${calls} times`)
        stage.anyFailure(run, reply.status)
      }
    },
  ),
  scenario('D5-46.a', 'without a response the status is 0 and the code network_error', async (stage) => {
    await stage.fail(['show', 'http://127.0.0.1:1'], ['network_error'], 0)
  }),
  scenario('D5-47.a', 'details are {} where the error has none', async (stage) => {
    const world = await stage.world({ entity: () => refusal(404, 'entity_not_found') })
    const { details } = await stage.fail(europa(world), ['entity_not_found'])
    const empty = isObject(details) && Object.keys(details).length === 0
    stage.demand(empty, `details are ${JSON.stringify(details)}`)
  }),
  scenario(
    'D5-49.a',
    'a failure without a protocol body, such as a page of a proxy, has the code http_<status>',
    async (stage) => {
      await expectFailure(stage, BAD_GATEWAY, ['http_502'], 502)
      await expectFailure(stage, { status: 403, text: '' }, ['http_403'], 403)
      await expectFailure(stage, { status: 500, json: { error: 'oops' } }, ['http_500'], 500)
    },
  ).also('D5-50'),
  scenario('D5-50.a', 'a success whose body is not JSON fails with invalid_response', async (stage) => {
    const json = { 'content-type': 'application/json' }
    for (const text of ['{"type":', '', '<html>', 'NaN'])
      await expectFailure(stage, { text, headers: json }, ['invalid_response'])
  }),
  scenario('D5-50.b', 'a body that breaks off fails', async (stage) => {
    const reply = { json: { type: 'sol:moon', id: 'europa', attributes: {} }, cutAfter: 20 }
    await expectFailure(stage, reply, ['network_error', 'invalid_response'])
  }),
  scenario('D5-50.c', 'a body that is far too large fails with response_too_large', async (stage) => {
    await expectFailure(stage, { flood: FLOOD_BYTES }, ['response_too_large'])
  }),
  scenario('D5-50.d', 'a world that never answers fails with timeout', async (stage) => {
    const world = await stage.world({ entity: () => ({ silent: true }) })
    const { slow = false, giveUpMs = slow ? SLOW_GIVE_UP_MS : GIVE_UP_MS } = stage.options
    const run = await stage.run(europa(world), { timeout: giveUpMs })
    if (run.late && !slow)
      throw new NotAsked(`the client still waits after ${giveUpMs / 1_000} s`, { option: '--slow' })
    stage.failure(run, ['timeout'], 0)
  }),
]
