/** Freedoms of lists and of entities. */
import { ExactNumber } from '@worldwright/client/exact'
import {
  answers,
  asks,
  type Body,
  counter,
  discovery,
  edit,
  entity,
  list,
  type Proof,
  page,
  path,
  query,
  success,
  text,
} from '../breakages.ts'
import { cursors, entries } from '../dialect-breakages.ts'
import { type Fact, facts } from '../foreign-world.ts'
import type { Asked } from '../reference-http.ts'
import { changed, type Freedom, PLAIN, type Tell, world } from './free-worlds.ts'

const found = success(entity)
const entityOf = ({ prefix, kind, key, title }: Fact): Body => ({ type: `${prefix}:${kind}`, id: key, title })

/** Adds a member to every entity, in lists and alone. */
function withMember(name: string, value: (fact: Fact) => unknown): Tell {
  return world({ entity: (fact) => ({ ...entityOf(fact), [name]: value(fact) }) })
}

/** Changes the last entity of a page. */
function inLists(change: (entity: Body) => Body): Tell {
  return changed(entries((all) => all.map(change)))
}

/** Gives every cursor as a number. */
function numbered(): Proof {
  const given: string[] = []
  const numbers = cursors((cursor) => {
    if (typeof cursor === 'string') given.push(cursor)
    return typeof cursor === 'string' ? given.length : undefined
  })
  const asked = (own: Asked) => {
    own.query = own.query.replace(/(?<=cursor=)[\d%]+/, (at) =>
      encodeURIComponent(given[Number(decodeURIComponent(at)) - 1] ?? 'none'),
    )
  }
  return { broken: { ...numbers.broken, asked } }
}

/** Sends pages as arrays, and where they go on in a header. */
function bare(name: string, value: (cursor: string) => string): Proof {
  return {
    broken: {
      told(told, asked) {
        if (!page(asked, told)) return
        const { entities, nextCursor } = told.body as Body
        told.body = entities
        if (nextCursor !== undefined) told.headers[name] = value(encodeURIComponent(String(nextCursor)))
      },
    },
  }
}

const next = counter()

function single(api: string): Body {
  return { ...PLAIN.document(api), entityTypes: [{ type: 'lib:book' }] }
}

/** Freedoms of lists and cursors. */
export const listFreedoms: readonly Freedom[] = [
  ['cursors are numbers', () => changed(numbered())],
  ['lists are arrays, with the cursor in a header', () => changed(bare('next-cursor', decodeURIComponent))],
  [
    'lists are arrays, with a link to the next page',
    () => changed(bare('link', (cursor) => `<?cursor=${cursor}>; rel="next"`)),
  ],
  [
    'each list is named after its type',
    () =>
      world({
        page: (all, nextCursor) => ({ [Object(all[0])['type']?.slice(4) ?? 'none']: all, nextCursor }),
      }),
  ],
  ['lists have no total', () => world({ page: (entities, nextCursor) => ({ entities, nextCursor }) })],
  ['the last page has a cursor of null', () => changed(cursors((cursor) => cursor ?? null))],
  [
    'a cursor that the world never gave is an empty page',
    () =>
      changed(
        answers(
          (asked, told) => list(asked, told) && told.status === 400 && asked.query.includes('cursor'),
          200,
          { entities: [] },
        ),
      ),
  ],
  [
    'pages are never larger than 3',
    () =>
      changed(
        asks((asked) => {
          asked.query = asked.query.replace(/(?<=limit=)\d+/, (limit) => String(Math.min(3, Number(limit))))
        }),
      ),
  ],
  ['pages may be smaller than the limit', () => changed(query(/limit=(2|3|5|10)\b/, 'limit=1'))],
  [
    'a limit of 0 is refused',
    () => changed(answers((asked, told) => list(asked, told) && /limit=0\b/.test(asked.query), 400)),
  ],
  ['a limit of 0 is one of 1', () => changed(query(/limit=0\b/, 'limit=1'))],
  [
    'a limit of more than 20 is refused',
    () =>
      changed(
        answers((asked, told) => list(asked, told) && /limit=\d{3,}/.test(asked.query), 400, {
          code: 'too_many',
          message: 'Ask for at most 20.',
        }),
      ),
  ],
  ['a limit that is no number is ignored', () => changed(query(/limit=(many|-1)/, ''))],
  [
    'an unknown type has an empty list',
    () => changed(answers((asked, told) => list(asked, told) && told.status === 404, 200, { entities: [] })),
  ],
  [
    'a type has no entities',
    () =>
      changed(
        edit(discovery, (body) =>
          Object.assign(body, {
            entityTypes: [...(body['entityTypes'] as unknown[]), { type: 'lib:shelf' }],
          }),
        ),
        changed(answers((asked) => asked.path.endsWith('/entities/lib%3Ashelf'), 200, { entities: null })),
      ),
  ],
  ['the world has one entity', () => world({ document: single }, facts().slice(0, 1))],
  [
    'the world has no entities',
    () =>
      changed(
        answers((asked) => /entities\/lib%3Abook$/i.test(asked.path), 200, { entities: [] }),
        world({ document: single }, []),
      ),
  ],
  [
    'an entity comes into the world during the run',
    () => {
      const grown = facts()
      return (asked, origin) => {
        const key = `n${grown.length}`
        if (next() % 25 === 0) grown.push({ prefix: 'lib', kind: 'book', key, title: `New ${key}` })
        return world({}, grown)(asked, origin)
      }
    },
  ],
]

/** Freedoms of entities and ids. */
export const entityFreedoms: readonly Freedom[] = [
  [
    'every id has a slash',
    () =>
      world(
        {},
        facts().map((fact) => ({ ...fact, key: `x/${fact.key}` })),
      ),
  ],
  [
    'ids are numbers',
    () =>
      world(
        { document: single, entity: (fact) => ({ ...entityOf(fact), id: Number(fact.key) }) },
        facts().slice(0, 10),
      ),
  ],
  [
    'ids are numbers that JavaScript cannot hold',
    () =>
      world(
        { document: single, entity: (fact) => ({ ...entityOf(fact), id: new ExactNumber(fact.key) }) },
        facts()
          .slice(0, 10)
          .map((fact, index) => ({ ...fact, key: `900719925474099${index}` })),
      ),
  ],
  [
    'ids are found by their NFC form',
    () =>
      changed(
        path(/(?<=entities\/[^/]+\/)caf.*/, 'caf%C3%A9'),
        world({}, [...facts(), { prefix: 'lib', kind: 'person', key: 'caf\u00e9', title: 'The coffee' }]),
      ),
  ],
  [
    'types have a prefix with dots',
    () =>
      world(
        { document: (api) => ({ ...PLAIN.document(api), entityTypes: [{ type: 'org.lib-1:book' }] }) },
        facts()
          .slice(0, 10)
          .map((fact) => ({ ...fact, prefix: 'org.lib-1' })),
      ),
  ],
  ['entities count their views', () => withMember('views', next)],
  ['entities say the time', () => withMember('now', () => new Date(next() * 1e10).toISOString())],
  [
    'entities have a code and a message',
    () => world({ entity: (fact) => ({ ...entityOf(fact), code: fact.key, message: 'Hello.' }) }),
  ],
  [
    'the members of an entity are in another order alone',
    () =>
      changed(
        text(found, (json) =>
          JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).toReversed())),
        ),
      ),
  ],
  ['lists have summaries of entities', () => inLists(({ type, id }) => ({ type, id }))],
  ['entities have less than their lists', () => changed(edit(found, (body) => delete body['title']))],
  [
    'lists have the beginning of long texts',
    () => inLists((one) => ({ ...one, title: `${String(one['title']).slice(0, 6)}\u2026` })),
  ],
  ['lists have null for what they leave out', () => inLists((one) => ({ ...one, title: null }))],
  [
    'lists have links relative to themselves',
    () =>
      changed(
        edit(found, (body) => Object.assign(body, { self: './' })),
        inLists((one) => ({ ...one, self: `./${encodeURIComponent(String(one['id']))}` })),
      ),
  ],
  [
    'entries have a rank that depends on the page',
    () => changed(entries((all) => all.map((one, rank) => ({ ...one, rank })))),
  ],
  [
    'an entity that is not there is gone (410)',
    () =>
      changed(
        answers((asked, told) => entity(asked, told) && told.status === 404, 410, {
          code: 'gone',
          message: 'Gone.',
        }),
      ),
  ],
  ['a slash at the end does not matter', () => changed(path(/(?<=\/entities\/.+)\/$/, ''))],
]
