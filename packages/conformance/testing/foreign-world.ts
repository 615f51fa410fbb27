/** Worlds that keep every sentence of Level 1, with names of their own wherever the text leaves them open. */
import type { ServerOptions } from '../src/check-server.ts'
import type { Asked, Told } from './reference-http.ts'

type Json = Record<string, unknown>

/** An entity before it is written in the names of a world. */
export interface Fact {
  readonly prefix: string
  readonly kind: string
  readonly key: string
  readonly title: string
}

/** The names and shapes that a world uses. */
export interface Dialect {
  readonly document: (api: string) => Json
  readonly entity: (fact: Fact) => unknown
  /** A page; `next` is undefined at the end. */
  readonly page: (entries: unknown[], next: string | undefined, total: number) => unknown
  /** Returns an answer of the action. Default: like a page. */
  readonly found?: (entries: unknown[]) => unknown
  readonly error: (code: string, text: string, status: number) => Json
  readonly errorType?: string
  readonly options?: ServerOptions
  /** The checks that warn. */
  readonly warned?: readonly string[]
}

const WORDS = [
  'anchor',
  'bridge',
  'candle',
  'drummer',
  'engine',
  'feather',
  'guitar',
  'hammer',
  'island',
  'jacket',
]

/** Returns the books and the people of every foreign world. */
export function facts(): Fact[] {
  const things = WORDS.map((word, at) => ({
    prefix: 'lib',
    kind: 'book',
    key: String(at + 100),
    title: `The ${word}`,
  }))
  const people = ['..x', '100%', 'Mixed-Case', 'a/b', 'c d+e', 'f?g#h', '\u65e5\u672c'].map((key) => ({
    prefix: 'lib',
    kind: 'person',
    key,
    title: `Somebody called ${key}`,
  }))
  return [...things, ...people]
}

const CURSOR = 'after +/=&%: '

/** Returns a world of the facts `known` that uses a dialect, as a function from requests to answers. */
export function foreignWorld(dialect: Dialect, known: readonly Fact[] = facts()): (asked: Asked) => Told {
  const type = 'application/json; charset=utf-8'
  const yes = (body: unknown): Told => ({ status: 200, headers: { 'content-type': type }, body })
  const no = (status: number, code: string): Told => ({
    status,
    headers: { 'content-type': dialect.errorType ?? 'application/json' },
    body: dialect.error(code, `This is refused: ${code}.`, status),
  })
  return (asked) => {
    if (asked.path === '/.well-known/world.json')
      return asked.method === 'GET' ? yes(dialect.document('http://world.test/deep/')) : no(405, 'ONLY_GET')
    const [, deep, family, first = '', second, ...more] = asked.path.split('/').map(decodeURIComponent)
    if (deep !== 'deep' || more.length > 0) return no(404, 'NOT_HERE')
    if (family === 'actions')
      return first === 'wp:discover' && second === undefined ? search(asked) : no(404, 'NO_ACTION')
    if (family !== 'entities') return no(404, 'NOT_HERE')
    if (asked.method !== 'GET') return no(405, 'ONLY_GET')
    const own = known.filter(({ prefix, kind }) => `${prefix}:${kind}` === first)
    if (own.length === 0) return no(404, 'NO_SUCH_KIND')
    if (second === undefined) return list(own, new URLSearchParams(asked.query.replaceAll('+', '%2B')))
    const found = own.find(({ key }) => key === second)
    return found === undefined ? no(404, 'NO_SUCH_THING') : yes(dialect.entity(found))
  }

  function list(own: readonly Fact[], query: URLSearchParams): Told {
    const limit = query.get('limit') ?? '4'
    const cursor = query.get('cursor')
    if (!/^\d+$/.test(limit)) return no(422, 'BAD_LIMIT')
    const place = `${CURSOR}${own[0]?.kind} `
    if (cursor !== null && !/^\d+$/.test(cursor.replace(place, ''))) return no(400, 'BAD_CURSOR')
    const start = cursor === null ? 0 : Number(cursor.slice(place.length))
    const end = start + Number(limit)
    const entries = own.slice(start, end).map(dialect.entity)
    return yes(dialect.page(entries, end < own.length && limit !== '0' ? place + end : undefined, own.length))
  }

  function search({ method, body }: Asked): Told {
    if (method !== 'POST') return no(405, 'ONLY_POST')
    let input: Json
    try {
      input = JSON.parse(body.toString()).input
    } catch {
      return no(400, 'NO_JSON')
    }
    const { types = [], text = '', limit = 10 } = Object(input)
    if (
      typeof input !== 'object' ||
      !Array.isArray(types) ||
      typeof text !== 'string' ||
      !Number.isInteger(limit)
    )
      return no(400, 'BAD_INPUT')
    const entries = known
      .filter(({ prefix, kind }) => types.length === 0 || types.includes(`${prefix}:${kind}`))
      .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
      .slice(0, limit)
      .map(dialect.entity)
    return yes(
      dialect.found === undefined ? dialect.page(entries, undefined, entries.length) : dialect.found(entries),
    )
  }
}

const base = (api: string) => ({ protocol: 'world/0.1', endpoints: { api } })
const plainError = (code: string, message: string) => ({ code, message })

/** One dialect for each way in which worlds differ. */
export const FOREIGN: Readonly<Record<string, Dialect>> = {
  'says entities and nextCursor, as the decisions do': {
    document: (api) => ({
      ...base(api),
      world: { id: 'urn:x:1' },
      entityTypes: [{ type: 'lib:book' }, { type: 'lib:person' }],
      actions: [{ name: 'wp:discover' }],
    }),
    entity: ({ prefix, kind, key, title }) => ({ type: `${prefix}:${kind}`, id: key, title, attributes: {} }),
    page: (entities, nextCursor, total) => ({
      entities,
      ...(nextCursor === undefined ? {} : { nextCursor }),
      total,
    }),
    found: (entities) => ({ action: 'wp:discover', output: { entities, matched: [] } }),
    error: plainError,
  },
  'nests its page and ends it with null, its types plain strings': {
    document: (api) => ({
      ...base(api),
      id: 'library',
      types: ['lib:book', 'lib:person'],
      actions: ['wp:discover'],
    }),
    entity: ({ prefix, kind, key, title }) => ({ kind: `${prefix}:${kind}`, slug: key, name: title }),
    page: (data, after, total) => ({
      page: { data, cursors: { before: null, after: after ?? null } },
      total,
    }),
    error: (code, message) => ({ error: { code, message } }),
  },
  'names no type in its entities, has numeric ids and ends with an empty string': {
    document: (api) => ({
      ...base(api),
      worldId: 'https://lib.example/#it',
      entity_types: { 'lib:book': 'Books', 'lib:person': {} },
      actions: { 'wp:discover': {} },
    }),
    entity: ({ key, title }) => ({ id: /^\d+$/.test(key) ? Number(key) : key, label: title }),
    page: (results, next, count) => ({ count, results, next_page_token: next ?? '' }),
    error: (code, message) => ({ errors: [{ code: code.length, message }] }),
    warned: ['L1-routes-6.f', 'L1-errors-1.h'],
  },
  'groups its types by prefix, wraps what it finds, and says false at the end': {
    document: (api) => ({
      ...base(api),
      world: 'library',
      kinds: { lib: ['book', 'person'] },
      operations: { wp: ['discover'] },
    }),
    entity: ({ prefix, kind, key, title }) => ({
      ref: { type: `${prefix}:${kind}`, id: key },
      title,
      tags: ['a', 'b'],
    }),
    page: (items, more) => ({ items, continuation: more ?? false }),
    found: (entries) => ({ hits: entries.map((entity, at) => ({ rank: at + 1, entity })) }),
    error: (code, message, status) => ({ type: 'about:blank', title: message, status, code, message }),
    errorType: 'application/problem+json',
    warned: ['L1-routes-6.f'],
  },
  'answers bare arrays of one-element arrays where it finds, and has no cursor names': {
    document: (api) => ({
      ...base(api),
      identifier: 'tag:lib.example,2026:it',
      publishes: [
        { prefix: 'lib', name: 'book' },
        { prefix: 'lib', name: 'person' },
      ],
      can: [{ prefix: 'wp', name: 'discover' }],
    }),
    entity: ({ prefix, kind, key, title }) => ({
      '@type': `${prefix}:${kind}`,
      '@id': key,
      properties: { title },
    }),
    page: (list, token) => ({ list, ...(token === undefined ? {} : { '>>': token }) }),
    found: (entries) => entries.map((one) => [one]),
    error: plainError,
  },
  'says by a problem type what is wrong': {
    document: (api) => ({
      ...base(api),
      id: 'library',
      types: ['lib:book', 'lib:person'],
      actions: ['wp:discover'],
    }),
    entity: ({ prefix, kind, key, title }) => ({ type: `${prefix}:${kind}`, id: key, title }),
    page: (entities, cursor) => ({ entities, cursor: cursor ?? null }),
    error: (code, detail, status) => ({ type: `https://lib.example/problems/${code}`, detail, status }),
    errorType: 'application/problem+json',
    warned: 'abcdefgijklnopsut'.split('').map((letter) => `L1-errors-1.${letter}`),
  },
  'has names that nobody would guess': {
    document: (api) => ({
      ...base(api),
      me: 'library',
      stuff: { sorts: ['lib:book', 'lib:person'] },
      can: ['wp:discover'],
    }),
    entity: ({ prefix, kind, key, title }) => ({
      what: { sort: `${prefix}:${kind}`, which: { one: key } },
      says: title,
    }),
    page: (shown, on) => ({ shown, hidden: [{ a: 1 }], walk: { on: on ?? null } }),
    found: (entries) => ({ shown: entries.map((thing, nth) => ({ nth, thing })), hidden: [{ a: 1 }] }),
    error: plainError,
    options: {
      names: {
        entities: 'shown',
        found: 'shown',
        entity: 'thing',
        title: 'says',
        actions: 'can',
        cursor: 'walk.on',
        id: 'what.which.one',
        type: 'what.sort',
        types: 'stuff.sorts',
        world: 'me',
      },
    },
  },
}
