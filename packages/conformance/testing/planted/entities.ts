/** Faults of single entities, and of ids in a path. */
import {
  answers,
  asks,
  counter,
  entity,
  header,
  type Kind,
  later,
  type Proof,
  page200,
  path,
  redirects,
  sends,
  success,
  swap,
  text,
} from '../breakages.ts'
import type { Asked } from '../reference-http.ts'
import type { RightWorld } from '../right-worlds.ts'
import type { Fault } from './fault.ts'

const encoded = encodeURIComponent
const found = success(entity)
const missing: Kind = (asked, told) => entity(asked, told) && told.status === 404

/** Selects the answer for one of the plain ids. */
function at(id: string, kind: Kind = found): Kind {
  return (asked, told) => kind(asked, told) && asked.path.endsWith(`/${encoded(id)}`)
}

/** Rewrites the id in the path of every request. */
function id(change: (id: string, asked: Asked) => string): Proof {
  return asks((asked) => {
    asked.path = asked.path.replace(/(?<=\/entities\/[^/]+\/)[^/]+$/, (written) => change(written, asked))
  })
}

/** Finds an entity by an id that equals its own by some measure. `ids` are those of the whole world. */
function like({ ids }: RightWorld, measure: (id: string) => string): Proof {
  const all = [...ids, 'Mixed-Case', 'a/b', 'c d+e', '\u65e5\u672c']
  return id((written) => {
    const own = decodeURIComponent(written)
    return encoded(all.includes(own) ? own : (all.find((one) => measure(one) === measure(own)) ?? own))
  })
}

/** Answers as if an id were not there. */
function lost(pattern: RegExp): Proof {
  return answers(
    (asked, told) =>
      found(asked, told) && pattern.test(decodeURIComponent(asked.path.split('/').at(-1) ?? '')),
    404,
  )
}

/** Changes a title in the answer for single entities. */
function title(change: (title: string) => string): Proof {
  return text(found, (json) =>
    json.replace(/"(title|name)":"([^"]*)"/, (_all, name, own) => `"${name}":${change(own)}`),
  )
}

const quoted = JSON.stringify

/** Faults planted in answers to requests for one entity. */
export const entityFaults: readonly Fault[] = [
  ['no entity is there', 'L1-service-2', () => answers(entity, 404)],
  ['the second entity is not there', 'L1-entity-4', ({ ids }) => answers(at(ids[1]), 404)],
  ['the third entity is a fault of the server', 'L1-routes-3', ({ ids }) => answers(at(ids[2]), 500)],
  ['any id is the first entity', 'L1-entity-4', ({ ids }) => id(() => ids[0])],
  [
    'an unknown id is the first entity',
    'L1-entity-4',
    ({ ids }) => id((own) => (/no-such/.test(own) ? ids[0] : own)),
  ],
  [
    'the second id is the third entity',
    'L1-entity-4',
    ({ ids }) => id((own) => (own === ids[1] ? ids[2] : own)),
  ],
  [
    'every second answer is the second entity',
    'L1-entity-4',
    ({ ids }) => {
      const other = later(entity, 2)
      return id((own, asked) => (other(asked, { status: 200, headers: {}, body: {} }) ? ids[1] : own))
    },
  ],
  ['an unknown entity is null', 'L1-errors-1', () => answers(missing, 200, null)],
  ['an unknown entity is an empty object', 'L1-errors-1', () => answers(missing, 200, {})],
  ['an unknown entity is an error with the status 200', 'L1-errors-1', () => answers(missing, 200)],
  ['an unknown entity is an empty 204', 'L1-errors-1', () => answers(missing, 204)],
  ['an unknown entity is a web page with the status 200', 'L1-endpoints-6', () => page200(missing)],
  ['an unknown entity leads to another page', 'L1-errors-1', ({ ids }) => redirects(missing, ids[0])],
  [
    'an entity is a list with itself',
    'L1-routes-3',
    ({ ids }) => text(found, (json) => `{"entities":[${json},${json.replace(ids[0], ids[1])}]}`),
  ],
  [
    'an entity is an array of two',
    'L1-routes-3',
    ({ ids }) => text(found, (json) => `[${json},${json.replace(ids[0], ids[1])}]`),
  ],
  ['an entity is null', 'L1-routes-3', () => text(found, () => 'null')],
  ['an entity is a string', 'L1-routes-3', () => text(found, (json) => quoted(json))],
  ['an entity is an error with the status 200', 'L1-errors-1', () => answers(found, 200)],
  ['an entity has the id of another', 'L1-entity-4', ({ ids }) => swap(found, `"${ids[0]}"`, `"${ids[1]}"`)],
  [
    'the second entity has the id of the third',
    'L1-entity-4',
    ({ ids }) => swap(found, `"${ids[1]}"`, `"${ids[2]}"`),
  ],
  ['an entity has another type', 'L1-entity-1', ({ types }) => swap(found, `"${types[0]}"`, `"${types[1]}"`)],
  [
    'an entity has another title than in its list',
    'L1-routes-3',
    () => title((own) => quoted(`${own} again`)),
  ],
  [
    'an entity has its title in capitals, unlike its list',
    'L1-routes-3',
    () => title((own) => quoted(own.toUpperCase())),
  ],
  [
    'the third entity has another title than in its list',
    'L1-routes-3',
    ({ ids }) => swap(at(ids[2]), 'The ', 'A '),
  ],
  ['a title is a number, unlike in its list', 'L1-routes-3', () => title(() => '7')],
  [
    'an entity lacks its title',
    'L1-routes-3',
    () => text(found, (json) => json.replace(/,?"(title|name)":"[^"]*"/, '')),
  ],
  [
    'the title of an entity changes with every read',
    'L1-routes-3',
    () => {
      const next = counter()
      return title((own) => quoted(`${own} ${next() % 2 === 0 ? 'now' : 'then'}`))
    },
  ],
  ['an entity is cut off', 'L1-endpoints-6', () => sends(found, (json) => json.slice(0, -1))],
  [
    'the third entity is cut off',
    'L1-endpoints-6',
    ({ ids }) => sends(at(ids[2]), (json) => json.slice(0, -1)),
  ],
  ['the second entity is a web page', 'L1-endpoints-6', ({ ids }) => page200(at(ids[1]))],
  [
    'an entity is not UTF-8',
    'L1-endpoints-6',
    () => sends(found, (json) => Buffer.from(json.replace('{', '{"x":"\u00fc",'), 'latin1')),
  ],
  ['an entity has a byte order mark', 'L1-endpoints-6', () => text(found, (json) => `\ufeff${json}`)],
  ['an entity says gzip and is plain', 'L1-endpoints-6', () => header(found, 'content-encoding', 'gzip')],
  ['an entity is shorter than its length', 'L1-endpoints-6', () => header(found, 'content-length', '99999')],
  ['an entity is longer than its length', 'L1-endpoints-6', () => header(found, 'content-length', '9')],
  ['an entity is text/html', 'L1-endpoints-6', () => header(found, 'content-type', 'text/html')],
  [
    'the second entity is text/plain',
    'L1-endpoints-6',
    ({ ids }) => header(at(ids[1]), 'content-type', 'text/plain'),
  ],
  [
    'a member of an entity stands twice',
    'L1-endpoints-6',
    () => text(found, (json) => json.replace(/"(title|name)":/, '"$1":"Another","$1":')),
  ],
  [
    'a member of the third entity stands twice',
    'L1-endpoints-6',
    ({ ids }) => text(at(ids[2]), (json) => json.replace(/"(title|name)":/, '"$1":"Another","$1":')),
  ],
  [
    'the type of an id does not count',
    'L1-entity-4',
    (world) =>
      asks((asked) => {
        const own = world.ids.find((one) => asked.path.endsWith(`/${one}`))
        if (own !== undefined)
          asked.path = asked.path.replace(/entities\/[^/]+\//, `entities/${encoded(world.types[0])}/`)
      }),
  ],
]

/** Faults of ids in a path. */
export const pathFaults: readonly Fault[] = [
  ['ids are not decoded', 'L1-endpoints-2', () => id((written) => written.replaceAll('%', '%25'))],
  ['ids are decoded twice', 'L1-endpoints-2', () => id((written) => written.replaceAll('%25', '%'))],
  ['escapes in lower case are not decoded', 'L1-endpoints-2', () => path(/%(?=[0-9A-F]?[a-f])/g, '%25')],
  ['ids are trimmed', 'L1-entity-4', (world) => like(world, (text) => text.trim())],
  ['a space before an id does not count', 'L1-entity-4', (world) => like(world, (text) => text.trimStart())],
  ['a space after an id does not count', 'L1-entity-4', (world) => like(world, (text) => text.trimEnd())],
  ['ids are found in any letter case', 'L1-entity-4', (world) => like(world, (text) => text.toLowerCase())],
  [
    'ids are written in lower case',
    'L1-entity-4',
    () =>
      id((written) => written.replaceAll(/%..|[A-Z]/g, (one) => (one.length > 1 ? one : one.toLowerCase()))),
  ],
  [
    'ids are found by how they begin',
    'L1-entity-4',
    ({ ids }) => id((written) => ids.find((one) => one.startsWith(written)) ?? written),
  ],
  [
    'what follows an id does not count',
    'L1-entity-4',
    ({ ids }) => id((written) => ids.find((one) => written.startsWith(one)) ?? written),
  ],
  [
    'a plus sign in a path is a space',
    'L1-endpoints-2',
    () => id((written) => written.replaceAll('+', '%20')),
  ],
  [
    'an encoded plus sign in a path is a space',
    'L1-endpoints-2',
    () => id((written) => written.replaceAll('%2B', '%20')),
  ],
  ['%2F separates components', 'L1-endpoints-2', () => path(/%2F/gi, '/')],
  [
    'another component behind an id does not count',
    'L1-endpoints-2',
    () => path(/(?<=\/entities\/[^/]+\/[^/]+)\/.*/, ''),
  ],
  [
    'an empty component before an id does not count',
    'L1-endpoints-2',
    () => path(/(?<=\/entities\/[^/]+\/)\//, ''),
  ],
  [
    'an empty component behind an id does not count',
    'L1-endpoints-2',
    () => path(/(?<=\/entities\/[^/]+\/[^/]+)\/$/, ''),
  ],
  ['an id with a slash is not there', 'L1-endpoints-2', () => lost(/\//)],
  ['an id with a space is not there', 'L1-endpoints-2', () => lost(/ /)],
  ['an id with a percent sign is not there', 'L1-endpoints-2', () => lost(/%/)],
  [
    'an id with a percent sign is a fault of the server',
    'L1-endpoints-2',
    () => answers((asked, told) => entity(asked, told) && asked.path.endsWith('100%25'), 500),
  ],
  ['an id ends at a question mark', 'L1-endpoints-2', () => lost(/\?/)],
  ['an id beyond ASCII is not there', 'L1-endpoints-2', () => lost(/[^\0-\x7f]/)],
  ['an id that begins with dots is not there', 'L1-entity-4', () => lost(/^\./)],
  ['an id with capitals is not there', 'L1-entity-4', () => lost(/[A-Z]/)],
]
