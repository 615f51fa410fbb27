import { NotApplicable } from '../check/check.ts'
import { demand, expectError, expectOrder, isCount } from '../http/expect.ts'
import { compareBytes } from '../json/json.ts'
import {
  after,
  census,
  cursorOf,
  MOST_TYPES,
  type Page,
  readPage,
  statedLimit,
  typeWith,
  walk,
  walkable,
} from './pages.ts'
import { listRoute, type, types } from './subjects.ts'
import { check, type Target } from './target.ts'

const MOST_PAGE_BYTES = 4 * 1024 * 1024
/** Maximum number of bytes in a page apart from its entities. */
const ENVELOPE_BYTES = 64 * 1024

/** Walks a sufficiently short list to its end with the largest page size, once per run. */
function whole(target: Target): Promise<Page[]> {
  return target.once('whole', async () => {
    const { type: name } = await walkable(target)
    return walk(target, name, await statedLimit(target, 'list', 'max'), MOST_PAGES)
  })
}

const MOST_PAGES = 200

/** Returns the last page of a list, its entity count, and a function that returns the page's query for a given limit. */
async function lastPage(target: Target) {
  const pages = await whole(target)
  const page = pages.at(-1)
  if (page === undefined) throw new NotApplicable('the walk has no page')
  const before = pages.at(-2)
  const query = (limit: number) => (before === undefined ? `?limit=${limit}` : after(cursorOf(before), limit))
  return { page, count: page.ids.length, query }
}

/** Checks for section 3 of the decisions: the shape and order of lists, and walks over their pages. Ordered by rule. */
export const listChecks = [
  check(
    'D3-1.a',
    'a list has entities, limit, total and, only where it is a string, nextCursor',
    async (target) => {
      const { body, exchange } = await readPage(target, await type(target))
      for (const name of ['limit', 'total'])
        demand(isCount(body[name]), `${name} is not a whole number`, exchange)
      const cursor = body['nextCursor']
      demand(!('nextCursor' in body) || typeof cursor === 'string', 'nextCursor is no string', exchange)
    },
  ),
  check('D3-2.a', 'ids come in the order of their UTF-8 bytes', async (target) => {
    const counts = [...(await census(target))].filter(([, total]) => total >= 2)
    if (counts.length === 0) throw new NotApplicable('no type of this world has 2 entities')
    const max = await statedLimit(target, 'list', 'max')
    for (const [name] of counts)
      for (const { ids, exchange } of await walk(target, name, max, 2))
        expectOrder(exchange, ids, compareBytes)
  }),
  check(
    'D3-3.a',
    'a page goes on right after the entity at which the page before stopped',
    async (target) => {
      const { type: name } = await typeWith(target, 3)
      const long = await readPage(target, name, '?limit=3')
      const first = await readPage(target, name, '?limit=1')
      const second = await readPage(target, name, after(cursorOf(first), 2))
      const joined = JSON.stringify([...first.ids, ...second.ids])
      const right = JSON.stringify(long.ids)
      const answers = [long, first, second].map(({ exchange }) => exchange)
      demand(joined === right, `one page is ${right}, two are ${joined}`, ...answers)
    },
  ),
  check('D3-4.a', 'a walk in small pages has every entity exactly once', async (target) => {
    const { type: name } = await walkable(target)
    const large = (await whole(target)).flatMap((page) => page.ids)
    const max = await statedLimit(target, 'list', 'max')
    const size = Math.max(1, Math.min(Math.ceil(large.length / 10), Math.floor(max / 2)))
    const pages = await walk(target, name, size, MOST_PAGES)
    const small = pages.flatMap((page) => page.ids)
    const same = JSON.stringify(small) === JSON.stringify(large)
    const last = pages.at(-1)?.exchange
    demand(same, `pages of ${size} have other entities than large pages`, ...(last ? [last] : []))
  }).also('D3-3'),
  check(
    'D3-6.a',
    'nextCursor is there while one more entity exists, also right before the last one',
    async (target) => {
      const { type: name, total } = await walkable(target)
      const { count, query, page } = await lastPage(target)
      const walked = (await whole(target)).flatMap(({ ids }) => ids).length
      demand(walked === total, `the walk ends after ${walked} of ${total}`, page.exchange)
      const before = await readPage(target, name, '?limit=1')
      demand('nextCursor' in before.body, 'a page of one of several has no nextCursor', before.exchange)
      // If the last page has a single entity, the page before it ended right before the last entity and had a cursor.
      if (count === 1) return
      const almost = await readPage(target, name, query(count - 1))
      demand('nextCursor' in almost.body, 'one entity is left, but there is no nextCursor', almost.exchange)
    },
  ),
  check(
    'D3-6.b',
    'nextCursor is absent on the last page, also where the page is exactly full',
    async (target) => {
      const { type: name } = await walkable(target)
      const { count, query, page } = await lastPage(target)
      demand(!('nextCursor' in page.body), 'the last page has one', page.exchange)
      const exact = await readPage(target, name, query(count))
      demand(!('nextCursor' in exact.body), 'a full page with nothing after it has one', exact.exchange)
    },
  ),
  check('D3-7.a', 'nextCursor is never null and never empty', async (target) => {
    const { type: name } = await walkable(target)
    const pages = [...(await whole(target)), await readPage(target, name, '?limit=0')]
    for (const { body, exchange } of [...pages, await readPage(target, name, '?limit=1')]) {
      const cursor = body['nextCursor']
      demand(cursor !== null && cursor !== '', `nextCursor is ${JSON.stringify(cursor)}`, exchange)
    }
  }),
  check('D3-8.a', 'a page takes no more than 4 MiB', async (target) => {
    const max = await statedLimit(target, 'list', 'max')
    for (const name of (await types(target)).slice(0, MOST_TYPES)) {
      const { exchange } = await readPage(target, name, `?limit=${max}`)
      const bytes = exchange.body.length
      demand(bytes <= MOST_PAGE_BYTES + ENVELOPE_BYTES, `a page of ${bytes} bytes`, exchange)
    }
  }),
  check('D3-28.a', 'total is the number of entities, on every page', async (target) => {
    const pages = await whole(target)
    const count = pages.flatMap((page) => page.ids).length
    for (const { body, exchange } of pages)
      demand(body['total'] === count, `total is ${body['total']}, the walk has ${count}`, exchange)
  }),
  check('D3-30.a', 'the list of a type without entities is 200 and empty', async (target) => {
    const empty = [...(await census(target))].find(([, total]) => total === 0)
    if (empty === undefined) throw new NotApplicable('every type of this world has entities')
    const { entities, body, exchange } = await readPage(target, empty[0])
    demand(entities.length === 0 && !('nextCursor' in body), 'the list is not empty', exchange)
  }),
  check(
    'D3-31.a',
    'the list of a type that the world does not have gets 404 unknown_type',
    async (target) => {
      const exchange = await target.call(listRoute('conformance:no-such-type'))
      const details = expectError(exchange, 404, 'unknown_type', 'type')
      demand(details['type'] === 'conformance:no-such-type', 'details.type is another', exchange)
    },
  ).also('D1-36', 'D5-23'),
]
