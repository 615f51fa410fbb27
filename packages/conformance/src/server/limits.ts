import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectError } from '../http/expect.ts'
import { objectsIn } from '../json/json.ts'
import { after, census, cursorOf, type Page, readPage, statedLimit, typeWith } from './pages.ts'
import { listRoute, listWith, type } from './subjects.ts'
import { check, type Target } from './target.ts'

/** Invalid values of the parameter `limit`, as written in the query. */
const BAD_LIMITS = ['-1', '1.5', '1e3', '0x10', '%2B5', '+5', '%205', '5%20', '', 'abc', '%D9%A5', '1,2']

/** Requests a page with `query`. Fails unless it contains at most `limit` entities and reports `limit` as its limit. */
async function expectLimit(target: Target, query: string, limit: number): Promise<void> {
  const { body, entities, exchange } = await readPage(target, await type(target), query)
  demand(body['limit'] === limit, `limit of the answer is ${body['limit']}, not ${limit}`, exchange)
  demand(entities.length <= limit, `${entities.length} entities on a page of ${limit}`, exchange)
}

/** Fails unless the response is an `invalid_parameter` error for the query parameter `name`, with `reason` if given. */
function expectParameter(exchange: Exchange, name: string, reason?: string): void {
  const { fields } = expectError(exchange, 400, 'invalid_parameter', 'fields')
  const [field = {}] = objectsIn(fields)
  const named = field['in'] === 'query' && field['name'] === name
  demand(named, `details.fields does not name ${name}`, exchange)
  const right = reason === undefined || field['reason'] === reason
  demand(right, `the reason is ${field['reason']}, not ${reason}`, exchange)
}

/** Reads the first page of a list with a limit of 1. Returns the type, the next cursor and the page. */
async function firstCursor(target: Target): Promise<{ name: string; cursor: string; page: Page }> {
  const { type: name } = await typeWith(target, 2)
  const page = await readPage(target, name, '?limit=1')
  return { name, cursor: cursorOf(page), page }
}

async function expectRefused(target: Target, name: string, cursor: string): Promise<void> {
  expectError(await target.call(listRoute(name, after(cursor, 1))), 400, 'invalid_cursor', 'reason')
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Checks for section 3 of the decisions: list parameters and cursors. Ordered by rule. */
export const limitChecks = [
  check('D3-20.a', 'without limit the page has the stated default size', async (target) => {
    await expectLimit(target, '', await statedLimit(target, 'list', 'default'))
  }),
  check('D3-21.a', 'limit=0 answers 200 without entities and nextCursor, with total', async (target) => {
    const { type: name } = await typeWith(target, 1)
    const { body, entities, exchange } = await readPage(target, name, '?limit=0')
    demand(entities.length === 0, 'there are entities', exchange)
    demand(body['limit'] === 0, `limit of the answer is ${body['limit']}`, exchange)
    demand(Number(body['total']) >= 1, `total is ${body['total']}`, exchange)
    demand(!('nextCursor' in body), 'there is a nextCursor', exchange)
  }).also('D3-6'),
  check('D3-22.a', 'a limit above the maximum counts as the maximum', async (target) => {
    const max = await statedLimit(target, 'list', 'max')
    await expectLimit(target, `?limit=${max + 1}`, max)
    await expectLimit(target, `?limit=${max}`, max)
  }),
  check(
    'D3-23.a',
    'a limit that is anything but ASCII digits gets 400 invalid_parameter naming it',
    async (target) => {
      for (const bad of BAD_LIMITS) expectParameter(await listWith(target, `?limit=${bad}`), 'limit')
    },
  ).also('D5-14'),
  check('D3-24.a', 'limit=007 is 7, and forty digits are the maximum', async (target) => {
    const max = await statedLimit(target, 'list', 'max')
    await expectLimit(target, '?limit=007', Math.min(7, max))
    await expectLimit(target, `?limit=${'9'.repeat(40)}`, max)
    await expectLimit(target, `?limit=${'0'.repeat(39)}1`, 1)
  }),
  check('D3-25.a', 'a repeated limit gets 400 invalid_parameter', async (target) => {
    expectParameter(await listWith(target, '?limit=1&limit=1'), 'limit', 'repeated')
  }),
  check('D3-26.a', 'a repeated cursor gets 400 invalid_parameter', async (target) => {
    const { name, cursor } = await firstCursor(target)
    const exchange = await target.call(listRoute(name, `?cursor=${cursor}&cursor=${cursor}`))
    expectParameter(exchange, 'cursor', 'repeated')
  }),
  check(
    'D3-27.a',
    'query parameters that are not known are ignored, broken escapes in them too',
    async (target) => {
      await expectLimit(target, '?conformance=%zz&%=%ff&limit=1&a=b&Limit=x', 1)
    },
  ),
  check('D3-11.a', 'a cursor is unpadded base64url of at most 1024 characters', async (target) => {
    const { cursor, page } = await firstCursor(target)
    demand(/^[A-Za-z0-9_-]{1,1024}$/.test(cursor), `the cursor is ${cursor}`, page.exchange)
  }),
  check('D3-12.a', 'the same position has the same cursor, however it was reached', async (target) => {
    const { type: name } = await typeWith(target, 3)
    const direct = await readPage(target, name, '?limit=2')
    const first = await readPage(target, name, '?limit=1')
    const second = await readPage(target, name, after(cursorOf(first), 1))
    const same = cursorOf(direct) === cursorOf(second)
    demand(same, 'one position, two cursors', direct.exchange, second.exchange)
  }),
  check('D3-16.a', 'a cursor with one character changed gets 400 invalid_cursor', async (target) => {
    const { name, cursor } = await firstCursor(target)
    const places = Array.from({ length: 8 }, (_, step) => Math.floor((step * (cursor.length - 1)) / 7))
    for (const at of new Set(places)) {
      const other = ALPHABET[(ALPHABET.indexOf(cursor.charAt(at)) + 1) % ALPHABET.length]
      await expectRefused(target, name, cursor.slice(0, at) + other + cursor.slice(at + 1))
    }
    await expectRefused(target, name, cursor.slice(0, -1))
    await expectRefused(target, name, cursor.slice(1))
  }).also('D5-15'),
  check('D3-17.a', 'a cursor of another type gets 400 invalid_cursor', async (target) => {
    const { name, cursor } = await firstCursor(target)
    const other = [...(await census(target)).keys()].find((key) => key !== name)
    if (other === undefined) throw new NotApplicable('the world has only one type')
    await expectRefused(target, other, cursor)
  }),
  check(
    'D3-18.a',
    'a cursor that is empty, too long or not in canonical form gets 400 invalid_cursor',
    async (target) => {
      const { name, cursor } = await firstCursor(target)
      const altered = [`${cursor}=`, ` ${cursor}`, `${cursor}%`, `${cursor}.`]
      for (const form of ['', ...altered, 'A'.repeat(1025), 'é', '0', 'null'])
        await expectRefused(target, name, form)
    },
  ),
]
