/** Level 1 checks: cursors, and walks over the pages of a list. */
import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { advise, demand } from '../http/expect.ts'
import { at, repeated, sameJson, written } from '../json/json.ts'
import { continuationOf } from '../shapes/lists.ts'
import { keyOf, type Listing, MOST_WALKED, paging, readListing, type Walk, walk } from './reading.ts'
import { entriesIn, listRoute, types } from './subjects.ts'
import { check, escaped, type Target } from './target.ts'

/** Walks the list with the world's default page size, up to MOST_WALKED entities. */
function wholeWalk(target: Target): Promise<Walk> {
  return walk(target, undefined, MOST_WALKED)
}

/** Returns the first page of a list, its cursor and its query. Throws NotApplicable if it is also the last page. */
async function firstPage(target: Target): Promise<{ page: Listing; cursor: string; query: string }> {
  const { first, cursor: path, limit } = await paging(target)
  const { cursor } = continuationOf(first.body, path)
  if (cursor === undefined) throw new NotApplicable('the first page is the last one')
  return { page: first, cursor, query: limit === undefined ? '?' : `?limit=${limit}&` }
}

/** Reads the page after a cursor; `written` is the cursor as it appears in the query. */
async function after(target: Target, written: string): Promise<Listing> {
  const { page, query } = await firstPage(target)
  return readListing(target, page.type, `${query}cursor=${written}`)
}

function lastOf(pages: readonly Listing[], count: number): Exchange[] {
  return pages.slice(-count).map(({ exchange }) => exchange)
}

/** Fails with `reason` unless two pages hold the same entities in the same order. Their members may change meanwhile. */
async function expectSamePage(target: Target, one: Listing, other: Listing, reason: string): Promise<void> {
  const keysOf = ({ entries }: Listing) => Promise.all(entries.map((entry) => keyOf(target, entry)))
  demand(sameJson(await keysOf(one), await keysOf(other)), reason, one.exchange, other.exchange)
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

/** The checks in this file, ordered by rule. */
export const levelOneWalkChecks = [
  check('L1-routes-6.a', 'the list accepts its own cursor, percent-encoded, and goes on', async (target) => {
    const { first, cursor: path } = await paging(target)
    const { cursor } = continuationOf(first.body, path)
    const found = JSON.stringify(at(first.body, path))
    const told = `the cursor in ${written(path)} is ${found}, and the list goes on`
    demand(cursor !== undefined, told, first.exchange)
    const next = await after(target, encodeURIComponent(cursor))
    const same = next.entries.length > 0 && sameJson(next.entries, first.entries)
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
    const { cursor } = await firstPage(target)
    const first = await after(target, encodeURIComponent(cursor))
    const second = await after(target, encodeURIComponent(cursor))
    await expectSamePage(target, first, second, 'it gives two pages')
  }),
  check(
    'L1-routes-6.e',
    'a cursor is percent-decoded: escaping all of it gives the same page',
    async (target) => {
      const { cursor } = await firstPage(target)
      const usual = await after(target, encodeURIComponent(cursor))
      const other = await after(target, escaped(cursor))
      await expectSamePage(target, usual, other, 'it gives another page')
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
      const { page, cursor } = await firstPage(target)
      const others = (await types(target)).filter((name) => name !== page.type).slice(0, 1)
      for (const name of [page.type, ...others]) {
        const written = name === page.type ? `${cursor}x` : cursor
        const exchange = await target.call(listRoute(name, `?cursor=${encodeURIComponent(written)}`))
        const entries = entriesIn(target, exchange.json) ?? []
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
      for (const { entries, exchange } of pages)
        demand(entries.length <= limit, `${entries.length} entities where ${limit} were wanted`, exchange)
    }
  }),
]
