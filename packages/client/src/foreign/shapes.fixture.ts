/**
 * Worlds of well-known shapes, for tests of all readers. Each has 23 books and 7 prints in pages of 5, ids with slashes and
 * spaces, an ISBN, and a number that a JavaScript number cannot hold.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Shape, ShapePage } from './shape.fixture.ts'
import { THINGS, type Thing, TYPES } from './things.fixture.ts'

export { BIG, THINGS, type Thing, TYPES } from './things.fixture.ts'

const PAGE = 5
const cursorOf = (before: number) => `c-${before}-=`

const path = ({ type, id }: Thing) => `/entities/${encodeURIComponent(type)}/${encodeURIComponent(id)}`
const ours = {
  document: (types: readonly string[]) => ({
    world: { id: 'urn:x:library' },
    entityTypes: types.map((type) => ({ type })),
  }),
}
const listed = { document: (types: readonly string[]) => ({ id: 'urn:x:library', kinds: types }) }
const link = (page: ShapePage, parameter: string) =>
  page.next &&
  `${page.url}?${page.limit ? `limit=${page.limit}&` : ''}${encodeURIComponent(parameter)}=${encodeURIComponent(cursorOf(page.next))}`
const plain = ({ type, id, title, attributes }: Thing) => ({ type, id, title, attributes })
const flat = ({ type, id, title, attributes }: Thing) => ({
  kind: type,
  slug: id,
  name: title,
  ...attributes,
})
const items = (shape: { item: Shape['item'] }, { things, api }: ShapePage) =>
  things.map((thing) => shape.item(thing, api))

const JSON_API: Shape = {
  ...ours,
  parameter: 'page[cursor]',
  item: ({ type, id, title, attributes }, api) => ({
    type,
    id,
    attributes: { title, ...attributes },
    links: { self: `${api}${path({ type, id } as Thing)}` },
  }),
  single: (item) => ({ data: item, jsonapi: { version: '1.1' } }),
  page: (page) => ({
    data: items(JSON_API, page),
    links: { self: page.url, prev: null, next: link(page, 'page[cursor]') ?? null },
    meta: { total: page.total },
  }),
}
const HYDRA: Shape = {
  ...listed,
  parameter: 'page',
  item: ({ type, id, title, attributes }, api) => ({
    '@id': `${api.replace('/api', '/resource')}${path({ type, id } as Thing)}`,
    '@type': type,
    identifier: id,
    name: title,
    ...attributes,
  }),
  single: (item) => ({ '@context': 'https://schema.example/context', ...(item as object) }),
  page: (page) => ({
    '@context': 'http://www.w3.org/ns/hydra/context.jsonld',
    '@id': page.url,
    '@type': 'Collection',
    member: items(HYDRA, page),
    totalItems: page.total,
    view: {
      '@id': `${page.url}?page=${page.number}`,
      first: page.url,
      last: `${page.url}?page=${encodeURIComponent(cursorOf(page.total - 1))}`,
      ...(page.next && { next: link(page, 'page') }),
    },
  }),
}
const BARE = { ...listed, item: flat, page: ({ things }: ShapePage) => things.map(flat) }

/** All shapes that the tests serve, by name. */
export const SHAPES = {
  ours: {
    ...ours,
    item: plain,
    page: ({ things, next, total }) => ({
      entities: things.map(plain),
      ...(next && { nextCursor: cursorOf(next) }),
      limit: PAGE,
      total,
    }),
  },
  jsonApi: JSON_API,
  jsonApiLinkObjects: {
    ...JSON_API,
    page: (page) => ({
      data: items(JSON_API, page),
      links: page.next ? { next: { href: link(page, 'page[cursor]'), title: 'Next page' } } : {},
    }),
  },
  hydra: HYDRA,
  oData: {
    ...listed,
    parameter: '$skiptoken',
    item: ({ type, id, title, attributes }) => ({
      '@odata.etag': 'W/"1"',
      Kind: type,
      Key: id,
      DisplayName: title,
      ...attributes,
    }),
    page: (page) => ({
      '@odata.context': `${page.api}/$metadata#Books`,
      '@odata.count': page.total,
      value: items(SHAPES.oData, page),
      ...(page.next && { '@odata.nextLink': link(page, '$skiptoken') }),
    }),
  },
  relay: {
    ...listed,
    item: flat,
    page: ({ things, next, total, number }) => ({
      edges: things.map((thing, index) => ({ cursor: `e-${number}-${index}`, node: flat(thing) })),
      pageInfo: { hasNextPage: next !== undefined, endCursor: cursorOf(next ?? total) },
      totalCount: total,
    }),
  },
  hal: {
    ...listed,
    parameter: 'page',
    item: ({ type, id, title, attributes }, api) => ({
      _links: { self: { href: `${api}${path({ type, id } as Thing)}` } },
      type,
      id,
      title,
      ...attributes,
    }),
    page: (page) => ({
      _links: { self: { href: page.url }, ...(page.next && { next: { href: link(page, 'page') } }) },
      _embedded: { things: items(SHAPES.hal, page) },
      page: { size: PAGE, totalElements: page.total, number: page.number },
    }),
  },
  bareLink: {
    ...BARE,
    parameter: 'after_item',
    headers: (page): Record<string, string> => ({
      link: [
        `<${page.url}>; rel="first"`,
        page.next && `<${link(page, 'after_item')}>; title="a, b"; rel="next"`,
      ]
        .filter(Boolean)
        .join(', '),
    }),
  },
  bareHeader: {
    ...BARE,
    headers: ({ next }): Record<string, string> => (next ? { 'X-Next-Cursor': cursorOf(next) } : {}),
  },
  metaBody: {
    ...listed,
    item: ({ type, id, title, attributes }) => ({ meta: { type, id }, body: { title, ...attributes } }),
    page: (page) => ({
      records: items(SHAPES.metaBody, page),
      after: page.next ? cursorOf(page.next) : null,
    }),
  },
  pageTotal: {
    ...ours,
    item: plain,
    page: ({ things, next }) => ({
      entities: things.map(plain),
      total: things.length,
      ...(next && { weiter: cursorOf(next) }),
    }),
  },
  nullBesideHeader: {
    ...ours,
    item: plain,
    page: ({ things }) => ({ entities: things.map(plain), next: null }),
    headers: ({ next }): Record<string, string> => (next ? { 'Next-Cursor': cursorOf(next) } : {}),
  },
} as const satisfies Record<string, Shape> as Record<ShapeName, Shape>

/** Name of one of the shapes in `SHAPES`. */
export type ShapeName =
  | 'ours'
  | 'jsonApi'
  | 'jsonApiLinkObjects'
  | 'hydra'
  | 'oData'
  | 'relay'
  | 'hal'
  | 'bareLink'
  | 'bareHeader'
  | 'metaBody'
  | 'pageTotal'
  | 'nullBesideHeader'

/** Returns the answer of a world of the given shape at `origin`. `body` is the body of a POST. */
export function answerOf(shape: Shape, origin: string, target: string, body = ''): Response {
  const { pathname, searchParams } = new URL(target, origin)
  const api = `${origin}/api`
  if (pathname === '/.well-known/world.json')
    return Response.json({
      protocol: 'world/0.1',
      endpoints: { api },
      actions: ['wp:discover'],
      ...shape.document(TYPES),
    })
  const [base, route, name = '', id, ...more] = pathname.slice(1).split('/').map(decodeURIComponent)
  if (base !== 'api' || more.length > 0) return failure(404, 'not_found')
  if (route === 'actions' && name === 'wp:discover') return found(shape, api, Object(JSON.parse(body)).input)
  const things = THINGS.filter(({ type }) => type === name)
  if (route !== 'entities' || things.length === 0) return failure(404, 'unknown_type')
  if (id === undefined) return listOf(shape, api, things, searchParams)
  const thing = things.find((one) => one.id === id)
  if (!thing) return failure(404, 'entity_not_found')
  const item = shape.item(thing, api)
  return json(shape.single ? shape.single(item) : item)
}

function listOf(shape: Shape, api: string, things: readonly Thing[], query: URLSearchParams): Response {
  const cursor = query.get(shape.parameter ?? 'cursor')
  const from = cursor === null ? 0 : Number(/^c-(\d+)-=$/.exec(cursor)?.[1])
  if (!(from >= 0)) return failure(400, 'invalid_cursor')
  const limit = query.get('limit') ?? undefined
  if (limit && !/^\d+$/.test(limit)) return failure(400, 'invalid_limit')
  const size = Math.min(Number(limit ?? PAGE), PAGE)
  const here = things.slice(from, from + size)
  const next = size > 0 && from + size < things.length ? from + size : undefined
  const url = `${api}/entities/${encodeURIComponent(things[0]?.type ?? '')}`
  const number = Math.floor(from / (size || 1)) + 1
  const page = { api, url, things: here, number, next, limit, total: things.length }
  return json(shape.page(page), shape.headers?.(page))
}

function found(shape: Shape, api: string, { types = TYPES, text = '', limit = 20 }): Response {
  const hits = THINGS.filter(({ type, title }) => types.includes(type as never) && title.includes(text))
  const things = hits.slice(0, limit)
  const page = {
    api,
    url: `${api}/actions/wp%3Adiscover`,
    things,
    number: 1,
    next: undefined,
    total: hits.length,
  }
  return json({ output: shape.page(page) })
}

function json(body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json', ...headers } })
}

function failure(status: number, code: string): Response {
  return Response.json({ code, message: `Fault: ${code.replaceAll('_', ' ')}.` }, { status })
}

/** Serves a world of a shape over HTTP on a free port of 127.0.0.1. `seen` lists the requests: method and target. */
export async function serveShape(
  name: ShapeName | Shape,
): Promise<{ url: string; seen: string[]; close: () => Promise<void> }> {
  const shape = typeof name === 'string' ? SHAPES[name] : name
  const seen: string[] = []
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const target = request.url ?? '/'
    seen.push(`${request.method} ${target}`)
    const answer = answerOf(shape, `http://${request.headers.host}`, target, Buffer.concat(chunks).toString())
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(await answer.text())
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, seen, close }
}
