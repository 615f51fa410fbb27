/** Faults of single pages of a list. */
import {
  answers,
  asking,
  asks,
  header,
  list,
  type Proof,
  page,
  page200,
  query,
  sends,
  swap,
  text,
} from '../breakages.ts'
import { entries, swapOnce } from '../dialect-breakages.ts'
import type { Asked } from '../reference-http.ts'
import type { RightWorld } from '../right-worlds.ts'
import type { Fault } from './fault.ts'

const encoded = encodeURIComponent

/** Rewrites the type in the path of every request. */
function type(change: (type: string, asked: Asked) => string): Proof {
  return asks((asked) => {
    asked.path = asked.path.replace(/(?<=\/entities\/)[^/]+/, (written) => change(written, asked))
  })
}

/** The type of the world that is written like this, by some measure. */
function like({ types }: RightWorld, measure: (text: string) => string): Proof {
  return type((written) => types.map(encoded).find((own) => measure(own) === measure(written)) ?? written)
}

/** The limit of a list, as a number; undefined without one. */
function limitOf(asked: Asked): number | undefined {
  const found = /(?:^|&)limit=(\d+)/.exec(asked.query)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Changes the limit of a list before the world reads it. */
function limit(change: (limit: number, asked: Asked) => number): Proof {
  return asks((asked) => {
    asked.query = asked.query.replace(/(?<=(?:^|&)limit=)\d+/, (found) =>
      String(change(Number(found), asked)),
    )
  })
}

/** Faults planted in single pages of lists. */
export const listFaults: readonly Fault[] = [
  ['%3A in a type is not decoded', 'L1-endpoints-2', () => type((written) => written.replaceAll('%', '%25'))],
  [
    '%3a in a type is not decoded',
    'L1-endpoints-2',
    () => type((written) => written.replaceAll('%3a', '%253a')),
  ],
  ['a type is decoded twice', 'L1-endpoints-2', () => type((written) => written.replaceAll('%25', '%'))],
  ['a type is found in any letter case', 'L1-entity-3', (world) => like(world, (text) => text.toLowerCase())],
  [
    'a type is found with spaces around it',
    'L1-entity-3',
    (world) => like(world, (text) => text.replaceAll('%20', '')),
  ],
  [
    'the prefix of a type does not count',
    'L1-entity-2',
    (world) => like(world, (text) => text.replace(/.*%3A/, '')),
  ],
  [
    'the name of a type does not count',
    'L1-entity-2',
    (world) => like(world, (text) => text.replace(/%3A.*/, '')),
  ],
  [
    'an unknown type has the list of another',
    'L1-routes-2',
    ({ types }) => type((written) => (types.map(encoded).includes(written) ? written : encoded(types[0]))),
  ],
  [
    'an unknown type has a list with nothing',
    'L1-routes-2',
    () => answers((asked, told) => list(asked, told) && told.status === 404, 200, { entities: [] }),
  ],
  [
    'an unknown type is an error with the status 200',
    'L1-errors-1',
    () => answers((asked, told) => list(asked, told) && told.status === 404, 200),
  ],
  ['there are no lists', 'L1-service-2', () => answers(list, 404)],
  ['the list is null', 'L1-routes-2', () => text(page, () => 'null')],
  ['the list is a number', 'L1-routes-2', () => text(page, () => '7')],
  ['the list has no entities, only a count', 'L1-routes-2', () => text(page, () => '{"count":10}')],
  [
    'the list of one type is a map, other lists have arrays',
    'L1-routes-2',
    ({ types }) =>
      text(
        (asked, told) => page(asked, told) && asked.path.endsWith(`/${encoded(types[1])}`),
        () => '{"by":{"100":{"name":"The anchor"}}}',
      ),
  ],
  ['the list is a web page', 'L1-endpoints-6', () => page200(page)],
  ['the list is an error with the status 200', 'L1-errors-1', () => answers(page, 200)],
  ['the list is text/html', 'L1-endpoints-6', () => header(page, 'content-type', 'text/html')],
  ['the list has no Content-Type', 'L1-endpoints-6', () => header(page, 'content-type')],
  [
    'the list is declared as latin1',
    'L1-endpoints-6',
    () => header(page, 'content-type', 'application/json; charset=iso-8859-1'),
  ],
  ['the list says gzip and is plain', 'L1-endpoints-6', () => header(page, 'content-encoding', 'gzip')],
  ['the list says deflate and is plain', 'L1-endpoints-6', () => header(page, 'content-encoding', 'deflate')],
  ['the list is cut off', 'L1-endpoints-6', () => sends(page, (json) => json.slice(0, -3))],
  ['the list is shorter than its length', 'L1-endpoints-6', () => header(page, 'content-length', '999999')],
  [
    'the list is not UTF-8',
    'L1-endpoints-6',
    () => sends(page, (json) => Buffer.from(json.replaceAll('The', 'Th\u00e9'), 'latin1')),
  ],
  [
    'a member of a list stands twice',
    'L1-endpoints-6',
    () =>
      text(page, (json) =>
        json.replace(/"title":/, '"title":"Another","title":').replace(/"name":/, '"name":"Another","name":'),
      ),
  ],
  ['a list holds an entity of another type', 'L1-routes-2', ({ types }) => swapOnce(page, types)],
  [
    'every type has the same list',
    'L1-entity-1',
    ({ types }) =>
      type((written, { path }) =>
        written === encoded(types[1]) && !/entities\/[^/]+\/./.test(path) ? encoded(types[0]) : written,
      ),
  ],
  ['a list holds null', 'L1-routes-2', () => entries((all) => [...all, null])],
  [
    'a list holds an empty object',
    'L1-service-1',
    () => entries((all) => [...all.slice(0, 1), {}, ...all.slice(1)]),
  ],
  ['a list holds an entity twice', 'L1-routes-2', () => entries((all) => [...all.slice(0, 1), ...all])],
  ['a list holds one entity again and again', 'L1-routes-2', () => entries((all) => all.map(() => all[0]))],
  ['a list names ids that are not there', 'L1-entity-4', ({ ids }) => swap(page, `"${ids[1]}"`, '"lost"')],
  ['the limit is ignored', 'L1-endpoints-5', () => query(/limit=\d+&?/, '')],
  ['the limit is ignored beyond 2', 'L1-endpoints-5', () => limit((own) => (own > 2 ? 99 : own))],
  [
    'the limit is ignored on the second page',
    'L1-endpoints-5',
    () => limit((own, asked) => (asked.query.includes('cursor=') ? own + 1 : own)),
  ],
  ['a page has one entity more than the limit', 'L1-endpoints-5', () => limit((own) => own + 1)],
  [
    'a page of one has none',
    'L1-endpoints-5',
    () => entries((all) => all.slice(1), asking(/^limit=1(&|\n)/, page)),
  ],
  ['a limit of 0 is a page of the usual size', 'L1-endpoints-5', () => query(/limit=0/, '')],
  ['a limit of 0 is refused', 'L1-endpoints-5', () => answers(asking(/limit=0/, list), 400)],
  ['a limit below 0 is a page', 'L1-endpoints-5', () => query(/limit=-1/, '')],
  ['a limit that is no number is a page', 'L1-endpoints-5', () => query(/limit=many/, '')],
  [
    'a limit beyond every list is a fault of the server',
    'L1-errors-1',
    () => answers(asking(/limit=9{9}/, list), 500),
  ],
  [
    'a list of more than 20 is a fault of the server',
    'L1-endpoints-5',
    () => answers((asked, told) => list(asked, told) && (limitOf(asked) ?? 0) > 20, 500),
  ],
]
