/** Faults of walks from page to page of a list. */
import {
  answers,
  asking,
  asks,
  header,
  type Kind,
  list,
  type Proof,
  page,
  page200,
  query,
  sends,
  text,
} from '../breakages.ts'
import { cursors, entries, swapOnce } from '../dialect-breakages.ts'
import type { Fault } from './fault.ts'

/** Pages that a cursor led to. */
const further: Kind = (asked, told) => page(asked, told) && asked.query.includes('cursor=')

const CURSOR = /"(?:next\w*|after|continuation|cursor)":"([^"]+)"/i

/** Pages that a cursor led to, and that lead no further. */
const lastPage: Kind = (asked, told) => further(asked, told) && !CURSOR.test(JSON.stringify(told.body))

/** Counts the pages of a walk that begins anew with every request that has no cursor. */
function nth(number: number): Kind {
  let count = 0
  return (asked, told) => {
    if (!page(asked, told)) return false
    count = asked.query.includes('cursor=') ? count + 1 : 1
    return count === number
  }
}

/** Faults of walks from page to page. */
export const walkFaults: readonly Fault[] = [
  ['a page of one has no cursor', 'L1-routes-6', () => cursors(() => undefined)],
  ['a cursor is refused', 'L1-routes-6', () => answers(asking('cursor=', list), 400)],
  ['a cursor is a fault of the server', 'L1-routes-6', () => answers(asking('cursor=', list), 500)],
  ['a cursor is ignored', 'L1-routes-6', () => query(/&?cursor=.*/, '')],
  ['a cursor is read with its escapes', 'L1-routes-6', () => query(/(?<=cursor=.*)%/g, '%25')],
  [
    'a cursor that is escaped throughout is refused',
    'L1-routes-6',
    () => answers(asking(/cursor=(%[0-9A-F]{2}){6}/, list), 400),
  ],
  [
    'a cursor works once',
    'L1-endpoints-4',
    () => {
      const used = new Set<string>()
      return answers((asked, told) => {
        if (!page(asked, told) || !asked.query.includes('cursor=')) return false
        const again = used.has(asked.query)
        used.add(asked.query)
        return again
      }, 400)
    },
  ],
  [
    'a cursor that is used again goes on',
    'L1-endpoints-4',
    () => {
      const used = new Set<string>()
      return entries((all, { query }) => {
        const again = used.has(query)
        used.add(query)
        return again ? all.slice(1) : all
      }, further)
    },
  ],
  [
    'a cursor that the world never gave is the first page',
    'L1-routes-6',
    () => given((cursor) => cursor.includes('conformance')),
  ],
  [
    'a cursor with a letter more is the first page',
    'L1-endpoints-4',
    () => given((cursor) => !cursor.includes('conformance')),
  ],
  [
    'a cursor of another type is the first page',
    'L1-routes-6',
    () => given((_cursor, stranger) => !stranger),
  ],
  [
    'a walk ends after page two',
    'L1-routes-6',
    () => {
      const second = nth(2)
      return cursors((cursor, _earlier, asked) =>
        second(asked, { status: 200, headers: {}, body: {} }) ? undefined : cursor,
      )
    },
  ],
  ['a walk never ends', 'L1-routes-6', () => cursors((cursor, earlier) => cursor || earlier[0])],
  [
    'the third page is the first again',
    'L1-routes-6',
    () => {
      let count = 0
      return asks((asked) => {
        if (!/\/entities\/[^/]+$/.test(asked.path)) return
        count = asked.query.includes('cursor=') ? count + 1 : 1
        if (count === 3) asked.query = asked.query.replace(/&?cursor=.*/, '')
      })
    },
  ],
  ['pages overlap by one', 'L1-routes-6', () => overlapping()],
  ['pages skip an entity between them', 'L1-routes-6', () => entries((all) => all.slice(1), further)],
  [
    'a page of two lacks its last entity',
    'L1-endpoints-5',
    () => entries((all) => all.slice(0, -1), asking(/^limit=2(&|\n)/, page)),
  ],
  ['the last page is empty', 'L1-routes-6', () => entries(() => [], lastPage)],
  ['the third page is empty', 'L1-routes-6', () => entries(() => [], nth(3))],
  ['the second page is a web page', 'L1-endpoints-6', () => page200(nth(2))],
  ['the third page is cut off', 'L1-endpoints-6', () => sends(nth(3), (json) => json.slice(0, -2))],
  [
    'the second page says gzip and is plain',
    'L1-endpoints-6',
    () => header(further, 'content-encoding', 'gzip'),
  ],
  ['the second page is text/plain', 'L1-endpoints-6', () => header(further, 'content-type', 'text/plain')],
  ['the second page holds an entity of another type', 'L1-routes-2', ({ types }) => swapOnce(further, types)],
  ['the second page holds null', 'L1-routes-2', () => entries((all) => [...all, null], further)],
  [
    'the second page holds an entity twice',
    'L1-routes-2',
    () => entries((all) => [...all.slice(0, 1), ...all], further),
  ],
  [
    'the second page names ids that are not there',
    'L1-entity-4',
    () => text(further, (json) => json.replaceAll(/"(id|slug)":"/g, '"$1":"lost-')),
  ],
]

function overlapping(): Proof {
  let last: unknown
  return entries((all, { query }) => {
    const before = query.includes('cursor=') && last !== undefined ? [last] : []
    last = all.at(-1)
    return [...before, ...all].slice(0, Math.max(all.length, 1))
  })
}

/** Drops some of the cursors that the world never gave for the list. `stranger`: it never gave them for any list. */
function given(drops: (cursor: string, stranger: boolean) => boolean): Proof {
  const owners = new Map<string, string>()
  return {
    broken: {
      asked(asked) {
        const cursor = /cursor=([^&]*)/.exec(asked.query)?.[1]
        if (cursor === undefined || cursor === '') return
        const owner = owners.get(decodeURIComponent(cursor))
        if (owner !== asked.path && drops(cursor, owner === undefined))
          asked.query = asked.query.replace(/&?cursor=[^&]*/, '')
      },
      told(told, asked) {
        const [, cursor] = CURSOR.exec(JSON.stringify(told.body ?? '')) ?? []
        if (cursor !== undefined && list(asked, told)) owners.set(cursor, asked.path)
      },
    },
  }
}
