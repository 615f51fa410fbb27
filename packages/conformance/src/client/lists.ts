import { isObject } from '../json/json.ts'
import type { Reply, Script } from './scripted-world.ts'
import { apiRequests, linked, moon, moons, normalForm, refusal, type Stage, scenario } from './stage.ts'

/** Cursor that decoding, trimming or normalising would change. */
const ODD_CURSOR = ' a+b/c==&x=%2F ü👩‍🚀e\u0301A"'

/** Returns a script that serves two pages of one moon each, linked by `nextCursor`. `second` replaces the second page. */
function twoPages(nextCursor: string, second?: Reply): Script {
  const page = (id: string) => ({ entities: [moon(id)], limit: 1, total: 2 })
  return ({ query }) =>
    query.has('cursor') ? (second ?? { json: page('b') }) : { json: { ...page('a'), nextCursor } }
}

/** Has the client walk two pages. Fails unless the client sends `cursor` back unchanged. Returns the ids it prints. */
async function handBack(stage: Stage, cursor: string): Promise<unknown[]> {
  const world = await stage.world({ list: twoPages(cursor) })
  const ids = await stage.ids(moons(world))
  const sent = apiRequests(world)[1]?.query.get('cursor')
  stage.demand(sent === cursor, `${JSON.stringify(cursor)} came back as ${JSON.stringify(sent)}`)
  return ids
}

/** Has the client walk the list of moons. Fails unless the client prints exactly these ids, in order. */
async function expectWalk(stage: Stage, list: Script, ids: readonly string[]): Promise<void> {
  const world = await stage.world({ list })
  const printed = await stage.ids(moons(world))
  const right = JSON.stringify(printed) === JSON.stringify(ids)
  stage.demand(right, `the walk gave ${JSON.stringify(printed)}, not ${JSON.stringify(ids)}`)
}

/** Client scenarios: walks to the end of a list, and the cursors and limits that a client sends. Ordered by rule. */
export const listScenarios = [
  scenario('L1-endpoints-4.a', 'a cursor is handed back exactly as it came', async (stage) => {
    await handBack(stage, ODD_CURSOR)
  }).also('L1-routes-6'),
  scenario(
    'L1-endpoints-4.b',
    'a cursor that looks like a number, or like base64, is handed back as the text it is',
    async (stage) => {
      for (const cursor of ['007', '12345678901234567890', 'YQ==']) {
        const ids = (await handBack(stage, cursor)).join()
        stage.demand(ids === 'a,b', `the client printed ${ids || 'nothing'}`)
      }
    },
  ),
  scenario('L1-endpoints-4.c', 'every cursor is handed back, however many pages there are', async (stage) => {
    const world = await stage.world({ list: linked(...Array(12).fill(1)) })
    await stage.expectIds(moons(world), Array.from({ length: 12 }, (_, page) => `${page}-0`).join())
  }),
  scenario(
    'L1-endpoints-4.d',
    'a cursor is handed back also if its page has fewer entities than the limit',
    async (stage) => {
      const world = await stage.world({ list: linked(3, 1, 3) })
      await stage.expectIds([...moons(world), '--limit', '3'], '0-0,0-1,0-2,1-0,2-0,2-1,2-2')
    },
  ).also('L1-endpoints-5', 'D3-9'),
  scenario('L1-endpoints-4.e', 'a cursor is handed back also if its page is empty', async (stage) => {
    const world = await stage.world({ list: linked(1, 0, 1, 0) })
    await stage.expectIds(moons(world), '0-0,2-0')
  }).also('D3-9', 'D3-10'),
  scenario('L1-endpoints-4.f', 'a cursor goes only to the list that it came from', async (stage) => {
    const world = await stage.world({ list: linked(1, 1) })
    for (const type of ['sol:moon', 'sol:planet', 'sol:moon']) {
      await stage.run(['list', world.origin, type, '--all'])
      const strayed = apiRequests(world).find(({ path, query }) => {
        const [from] = query.get('cursor')?.split('/') ?? []
        return from !== undefined && !normalForm(path).endsWith(`/${encodeURIComponent(from)}`)
      })
      stage.demand(strayed === undefined, `a cursor of another type was sent: ${strayed?.target}`)
      await stage.expectIds(['list', world.origin, type, '--all'], '0-0,1-0')
    }
  }),
  scenario('L1-endpoints-5.a', 'the limit is sent as the whole number it is', async (stage) => {
    const world = await stage.world()
    await stage.succeed(['list', world.origin, 'sol:moon', '--limit', '7'])
    const limit = apiRequests(world)[0]?.query.getAll('limit').join()
    stage.demand(limit === '7', `limit is ${limit || 'absent'}`)
  }).also('L1-routes-6'),
  scenario('D5-52.a', 'a walk that breaks off fails; it does not just end', async (stage) => {
    const refused = refusal(400, 'invalid_cursor', { reason: 'test' })
    const world = await stage.world({ list: twoPages('c1', refused) })
    await stage.fail(moons(world), ['invalid_cursor'], 400)
  }),
  scenario('D5-52.b', 'a walk that goes in a circle fails with pagination_loop', async (stage) => {
    const world = await stage.world({
      list: ({ query }) => {
        const next = query.get('cursor') === 'x' ? 'y' : 'x'
        return { json: { entities: [moon('a')], nextCursor: next, limit: 1, total: 9 } }
      },
    })
    await stage.fail(moons(world), ['pagination_loop'])
  }),
  scenario(
    'D7-2.a',
    'entities are found in entities, items, results, data or matches, in this order',
    async (stage) => {
      for (const name of ['items', 'results', 'data', 'matches'])
        await expectWalk(stage, () => ({ json: { [name]: [moon(name)] } }), [name])
      await expectWalk(stage, () => ({ json: { data: [moon('b')], items: [moon('a')] } }), ['a'])
    },
  ),
  scenario(
    'D7-3.a',
    'the next cursor is found in nextCursor, next_cursor, next or cursor; absent or null ends the walk',
    async (stage) => {
      for (const name of ['next_cursor', 'next', 'cursor']) {
        const page = (at: string, next: string | null) => ({ json: { items: [moon(at)], [name]: next } })
        const list: Script = ({ query }) => (query.has('cursor') ? page('b', null) : page('a', 'c1'))
        await expectWalk(stage, list, ['a', 'b'])
      }
    },
  ),
  scenario(
    'D7-4.a',
    'a list without a list fails with invalid_response, and details tell the members it had',
    async (stage) => {
      const world = await stage.world({ list: () => ({ json: { things: 7, pageCount: 3 } }) })
      const { details } = await stage.fail(moons(world), ['invalid_response'])
      const told = isObject(details) ? JSON.stringify(details) : ''
      stage.demand(told.includes('things') && told.includes('pageCount'), 'details do not name the members')
    },
  ),
]
