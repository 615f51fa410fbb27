import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { advise, demand } from '../http/expect.ts'
import { repeated, sameJson } from '../json/json.ts'
import {
  type Continuation,
  continuationOf,
  cursorIn,
  keyOf,
  type Listing,
  MOST_WALKED,
  nextPage,
  paging,
  readListing,
  type Walk,
  walk,
} from './reading.ts'
import { entriesIn, listRoute, types } from './subjects.ts'
import { check, escaped, type Target } from './target.ts'

/** Walks the list with the world's default page size, up to MOST_WALKED entities. */
function wholeWalk(target: Target): Promise<Walk> {
  return walk(target, undefined, MOST_WALKED)
}

/** Returns the first page of a list, and how it continues. Throws NotApplicable if it is also the last page. */
async function firstPage(target: Target): Promise<{ page: Listing; next: Continuation; size: string }> {
  const { first, limit } = await paging(target)
  const next = continuationOf(first)
  if ((next.cursor ?? next.url) === undefined) throw new NotApplicable('the first page is the last one')
  return { page: first, next, size: limit === undefined ? '' : `limit=${limit}&` }
}

/** Returns the first page of a list and its cursor. Throws NotApplicable if a page has the URL of the next one instead. */
async function firstCursor(target: Target): Promise<{ page: Listing; cursor: string; size: string }> {
  const { page, next, size } = await firstPage(target)
  const { cursor } = next
  if (cursor === undefined) throw new NotApplicable('a page has the URL of the next one, no cursor')
  return { page, cursor, size }
}

/** Reads the page after the first one. */
async function secondPage(target: Target): Promise<Listing> {
  const { page, next, size } = await firstPage(target)
  return nextPage(target, page, next, size)
}

/** Fails with `reason` unless two pages hold the same entities in the same order. Their members may change meanwhile. */
function expectSamePage(one: Listing, other: Listing, reason: string): void {
  demand(sameJson(one.entries.map(keyOf), other.entries.map(keyOf)), reason, one.exchange, other.exchange)
}

function lastOf(pages: readonly Listing[], count: number): Exchange[] {
  return pages.slice(-count).map(({ exchange }) => exchange)
}

/** Fails unless two walks visit the same entities. Only the first MOST_WALKED are compared if a walk was cut short. */
function expectSame(limit: number, one: Walk, other: Walk): void {
  const shown = lastOf(one.pages, 1)
  const count = one.end === 'last' && other.end === 'last' ? Number.POSITIVE_INFINITY : MOST_WALKED
  const missing = other.keys.slice(0, count).find((key) => !one.keys.includes(key))
  demand(missing === undefined, `in pages of ${limit} it lacks ${missing}`, ...shown)
  const extra = one.keys.slice(0, count).find((key) => !other.keys.includes(key))
  demand(extra === undefined, `only in pages of ${limit} it has ${extra}`, ...shown)
}

/** Level 1 checks: cursors, and walks over the pages of a list. Ordered by rule. */
export const levelOneWalkChecks = [
  check('L1-routes-6.a', 'the list accepts its own cursor, percent-encoded, and goes on', async (target) => {
    const { first } = await paging(target)
    const { cursor, url } = continuationOf(first)
    const { path, value } = cursorIn(first) ?? {}
    const told = `the cursor in ${path} is ${JSON.stringify(value)}, and the list goes on`
    demand((cursor ?? url) !== undefined, told, first.exchange)
    const next = await secondPage(target)
    const rawOf = ({ entries }: Listing) => entries.map(({ raw }) => raw)
    const same = next.entries.length > 0 && sameJson(rawOf(next), rawOf(first))
    demand(!same, 'the cursor leads to the same page again', first.exchange, next.exchange)
  }),
  check('L1-routes-6.b', 'a walk from cursor to cursor comes to an end', async (target) => {
    for (const [limit, what] of [
      [undefined, 'pages'],
      [1, 'pages of one'],
    ] as const) {
      const { end, pages } = await walk(target, limit, MOST_WALKED)
      demand(end !== 'circle', `after ${pages.length} ${what} it is where it was before`, ...lastOf(pages, 2))
    }
  }),
  check('L1-routes-6.c', 'a walk comes to every entity once', async (target) => {
    await wholeWalk(target)
    for (const limit of [1, 2, undefined]) {
      const { keys, pages } = await walk(target, limit, MOST_WALKED)
      const twice = repeated(keys)
      demand(twice === undefined, `it comes to ${twice} more than once`, ...lastOf(pages, 2))
    }
  }),
  check('L1-routes-6.d', 'a cursor that is used twice gives the same page twice', async (target) => {
    expectSamePage(await secondPage(target), await secondPage(target), 'it gives two pages')
  }),
  check(
    'L1-routes-6.e',
    'a cursor is percent-decoded: escaping all of it gives the same page',
    async (target) => {
      const { page, cursor, size } = await firstCursor(target)
      const other = await readListing(target, page.type, `?${size}cursor=${escaped(cursor)}`)
      expectSamePage(await secondPage(target), other, 'it gives another page')
    },
  ).also('L1-endpoints-4'),
  check('L1-routes-6.f', 'the cursor is a string, and the last page has none or null', async (target) => {
    const { oddities, pages } = await wholeWalk(target)
    advise(oddities.length === 0, oddities.join('; '), ...lastOf(pages, 1))
  }),
  check(
    'L1-routes-6.g',
    'a cursor that was altered, or given by another list, is refused',
    async (target) => {
      const { page, cursor } = await firstCursor(target)
      const others = (await types(target)).filter((name) => name !== page.type).slice(0, 1)
      for (const name of [page.type, ...others]) {
        const written = name === page.type ? `${cursor}x` : cursor
        const exchange = await target.call(listRoute(name, `?cursor=${encodeURIComponent(written)}`))
        const entries = (exchange.succeeded && (await entriesIn(target, exchange.json))) || []
        advise(entries.length === 0, `${written} is answered with a page of ${name}`, exchange)
      }
    },
  ),
  check('L1-endpoints-5.e', 'the same entities come in pages of 1, of 2 and of 50', async (target) => {
    await wholeWalk(target)
    const large = await walk(target, 50, MOST_WALKED)
    for (const limit of [1, 2]) expectSame(limit, await walk(target, limit, MOST_WALKED), large)
  }).also('L1-routes-6'),
  check('L1-endpoints-5.f', 'no page has more entities than its limit, whichever it is', async (target) => {
    for (const limit of [1, 2, 3, 5, 10, 50]) {
      const { pages } = await walk(target, limit, limit > 2 ? limit : MOST_WALKED)
      // The URL of a next page may have no limit.
      for (const { entries, exchange } of pages.filter(({ query }) => query.includes(`limit=${limit}`)))
        demand(entries.length <= limit, `${entries.length} entities where ${limit} were wanted`, exchange)
    }
  }),
]
