/** A client walks lists to their end, whatever the world calls their members. */
import { defineCheck } from '../check/check.ts'
import { isObject } from '../shapes/json.ts'
import type { Script } from './scripted-world.ts'
import { apiRequests, moon, refusal, type Stage } from './stage.ts'

/** A cursor that decoding, trimming or normalising would change. */
const ODD_CURSOR = ' a+b/c==&x=%2F ü👩‍🚀"'

/** Pages in order: the first without a cursor, then `c1`, `c2` and so on. */
function pages(...bodies: readonly object[]): Script {
  return ({ query }) => {
    const at = Number((query.get('cursor') ?? 'c0').slice(1))
    return { json: bodies[at] ?? {} }
  }
}

/** Walks the list of moons; fails unless exactly these come, in order. */
async function expectWalk(stage: Stage, list: Script, ids: readonly string[]): Promise<void> {
  const world = await stage.world({ list })
  const printed = await stage.ids(['list', world.origin, 'sol:moon', '--all'])
  const right = JSON.stringify(printed) === JSON.stringify(ids)
  stage.demand(right, `the walk gave ${JSON.stringify(printed)}, not ${JSON.stringify(ids)}`)
}

/** In the order of the rules they stand on. */
export const listScenarios = [
  defineCheck<Stage>(
    'L1-endpoints-4.a',
    'a cursor is handed back exactly as it came',
    async (stage: Stage) => {
      const world = await stage.world({
        list: ({ query }) =>
          query.has('cursor')
            ? { json: { entities: [moon('b')], limit: 1, total: 2 } }
            : { json: { entities: [moon('a')], nextCursor: ODD_CURSOR, limit: 1, total: 2 } },
      })
      await stage.ids(['list', world.origin, 'sol:moon', '--all'])
      const sent = apiRequests(world)[1]?.query.get('cursor')
      stage.demand(sent === ODD_CURSOR, `${JSON.stringify(ODD_CURSOR)} came back as ${JSON.stringify(sent)}`)
    },
    ['L1-routes-6'],
  ),
  defineCheck<Stage>(
    'L1-endpoints-4.b',
    'a cursor that looks like a number is handed back as the text it is',
    async (stage: Stage) => {
      const world = await stage.world({
        list: ({ query }) =>
          query.has('cursor')
            ? { json: { entities: [moon('b')], limit: 1, total: 2 } }
            : { json: { entities: [moon('a')], nextCursor: '007', limit: 1, total: 2 } },
      })
      const ids = await stage.ids(['list', world.origin, 'sol:moon', '--all'])
      const sent = apiRequests(world)[1]?.query.get('cursor')
      stage.demand(sent === '007', `"007" came back as ${JSON.stringify(sent)}`)
      stage.demand(ids.join() === 'a,b', `the client printed ${ids.join() || 'nothing'}`)
    },
  ),
  defineCheck<Stage>(
    'L1-endpoints-5.a',
    'the limit is sent as the whole number it is',
    async (stage: Stage) => {
      const world = await stage.world()
      await stage.succeed(['list', world.origin, 'sol:moon', '--limit', '7'])
      const { query } = apiRequests(world)[0] ?? {}
      stage.demand(
        query?.getAll('limit').join() === '7',
        `limit is ${query?.getAll('limit').join() || 'absent'}`,
      )
    },
    ['L1-routes-6'],
  ),
  defineCheck<Stage>(
    'D3-9.a',
    'a page that is short, or empty, is not the last one while it has a next cursor',
    (stage) =>
      expectWalk(
        stage,
        pages(
          { entities: [moon('a')], nextCursor: 'c1', limit: 50, total: 2 },
          { entities: [], nextCursor: 'c2', limit: 50, total: 2 },
          { entities: [moon('b')], nextCursor: 'c3', limit: 50, total: 2 },
          { entities: [], limit: 50, total: 2 },
        ),
        ['a', 'b'],
      ),
    ['D3-10'],
  ),
  defineCheck<Stage>(
    'D5-52.a',
    'a walk that breaks off fails; it does not just end',
    async (stage: Stage) => {
      const world = await stage.world({
        list: ({ query }) =>
          query.has('cursor')
            ? refusal(400, 'invalid_cursor', { reason: 'test' })
            : { json: { entities: [moon('a')], nextCursor: 'c1', limit: 1, total: 2 } },
      })
      const { status } = await stage.fail(['list', world.origin, 'sol:moon', '--all'], ['invalid_cursor'])
      stage.demand(status === 400, `status is ${status}`)
    },
  ),
  defineCheck<Stage>(
    'D5-52.b',
    'a walk that goes in a circle fails with pagination_loop',
    async (stage: Stage) => {
      const world = await stage.world({
        list: ({ query }) => {
          const next = query.get('cursor') === 'x' ? 'y' : 'x'
          return { json: { entities: [moon('a')], nextCursor: next, limit: 1, total: 9 } }
        },
      })
      await stage.fail(['list', world.origin, 'sol:moon', '--all'], ['pagination_loop'])
    },
  ),
  defineCheck<Stage>(
    'D7-2.a',
    'entities are found in entities, items, results, data or matches, in this order',
    async (stage: Stage) => {
      for (const name of ['items', 'results', 'data', 'matches'])
        await expectWalk(stage, () => ({ json: { [name]: [moon(name)] } }), [name])
      await expectWalk(stage, () => ({ json: { data: [moon('b')], items: [moon('a')] } }), ['a'])
    },
  ),
  defineCheck<Stage>(
    'D7-3.a',
    'the next cursor is found in nextCursor, next_cursor, next or cursor; absent or null ends the walk',
    async (stage: Stage) => {
      for (const name of ['next_cursor', 'next', 'cursor']) {
        const first = { items: [moon('a')], [name]: 'c1' }
        await expectWalk(stage, pages(first, { items: [moon('b')], [name]: null }), ['a', 'b'])
      }
    },
  ),
  defineCheck<Stage>(
    'D7-4.a',
    'a list without a list fails with invalid_response, and details tell the members it had',
    async (stage: Stage) => {
      const world = await stage.world({ list: () => ({ json: { things: 7, pageCount: 3 } }) })
      const { details } = await stage.fail(['list', world.origin, 'sol:moon', '--all'], ['invalid_response'])
      const told = isObject(details) ? JSON.stringify(details) : ''
      stage.demand(told.includes('things') && told.includes('pageCount'), 'details do not name the members')
    },
  ),
]
