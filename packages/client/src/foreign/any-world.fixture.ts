/** Generated worlds with arbitrary names and nesting, for tests of walks. */
import fc from 'fast-check'

/** Shape of a generated world. */
export interface AnyWorld {
  /** Number of entities. They all have the same type. */
  size: number
  /** Default and maximum page size. */
  page: number
  most: number
  /** Treatment of a request's limit. */
  limit: 'kept' | 'ignored' | 'refused'
  list: readonly string[]
  /** Path of the cursor in a page. Absent if the world has no cursors and truncates its lists. */
  cursor: readonly string[] | undefined
  end: 'absent' | null | '' | false
  /** Carrier of the cursor: a member of the body, a link in a member, the `Link` header, or a header of this name. */
  carrier: 'member' | 'url' | 'link' | 'next-cursor' | 'x-continuation-token'
  /** True if cursors are numbers. */
  isNumber: boolean
  total: readonly string[] | undefined
  /** True if the total is the number of entities of the page. */
  isPageTotal: boolean
  type: string
  /** Names of the id and of the type of an entity, and a member before them that looks like an id. */
  id: string
  kind: string
  decoy: string | undefined
  /**
   * Response to a request for an entity that does not exist: an error, or the first entity. The latter proves a wrong id if a
   * page has only one entity.
   */
  unknown: 'error' | 'first'
  wrap: 'not' | 'ranked' | 'alone' | 'head'
  noise: Record<string, unknown>
}

const word = fc.stringMatching(/^[a-z]{2,8}([A-Z][a-z]{2,6})?$/)
const nested = (name: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.array(fc.constantFrom('page', 'meta', 'data', 'body', 'answer'), { maxLength: 1 }), name)
    .map(([around, last]) => [...around, last])

/** Cursor names that the client recognises. */
export const CURSORS = [
  'nextCursor',
  'next',
  'next_cursor',
  'after',
  'nextPageToken',
  'cursor',
  'continuation',
  'end_cursor',
  'pageToken',
]

/** Generates an arbitrary world. If `names` is given, its cursor has one of these names. */
export function anyWorld(
  names: fc.Arbitrary<string> = fc.oneof(fc.constantFrom(...CURSORS), word),
): fc.Arbitrary<AnyWorld> {
  const worlds = fc.record({
    size: fc.integer({ min: 0, max: 60 }),
    page: fc.integer({ min: 1, max: 25 }),
    most: fc.integer({ min: 2, max: 30 }),
    limit: fc.constantFrom('kept', 'ignored', 'refused'),
    list: fc.oneof(
      nested(fc.constantFrom('entities', 'items', 'results', 'records')),
      nested(word),
      fc.constant([]),
    ),
    cursor: fc.oneof(
      { weight: 4, arbitrary: nested(names) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    end: fc.constantFrom('absent', null, '', false),
    carrier: fc.oneof(
      { weight: 3, arbitrary: fc.constant('member') },
      { weight: 2, arbitrary: fc.constantFrom('url', 'link', 'next-cursor', 'x-continuation-token') },
    ),
    isNumber: fc.boolean(),
    isPageTotal: fc.boolean(),
    type: fc.constantFrom('any:thing', 'any:odd thing', 'any:a/b', 'any:a:b', 'any thing:Ω'),
    id: fc.constantFrom('id', 'identifier', 'slug', 'key', '_id', 'thingId', 'symbol'),
    kind: fc.constantFrom('type', 'kind', '@type', 'of', 'entityType'),
    decoy: fc.constantFrom(undefined, '@id', 'code', 'uri', 'number'),
    unknown: fc.constantFrom('error', 'first'),
    total: fc.oneof(fc.constant(undefined), nested(fc.constantFrom('total', 'totalCount', 'total_results'))),
    wrap: fc.constantFrom('not', 'ranked', 'alone', 'head'),
    noise: fc.dictionary(
      word.map((name) => `z${name}`),
      fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean(), fc.constant(['x'])),
      { maxKeys: 3 },
    ),
  }) as fc.Arbitrary<AnyWorld>
  return worlds.filter(holdsAll)
}

/** Reports whether a page can hold its list, cursor and total: none is at the path of another, or below it. */
function holdsAll({ list, cursor = [], total = [], noise }: AnyWorld): boolean {
  const all = [list, cursor, total, ...Object.keys(noise).map((name) => [name])]
  const paths = all.filter(({ length }) => length > 0).map((path) => JSON.stringify(path).slice(0, -1))
  return paths.every(
    (path, at) => !paths.some((other, index) => index !== at && `${other},`.startsWith(`${path},`)),
  )
}

const API = 'https://any.example/api'

const idOf = (number: number) => `e/${number} é`

/** Returns a `fetch` that serves the world at `https://any.example`. */
export function answering(world: AnyWorld): (url: string) => Promise<Response> {
  return async (url) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/.well-known/world.json')
      return Response.json({
        protocol: 'world/0.1',
        endpoints: { api: API },
        entityTypes: [world.type, 'any:b'],
      })
    const [, , , type, id] = pathname.split('/').map(decodeURIComponent)
    if (type !== world.type) return refused('type', 404)
    if (id !== undefined) return entityOf(world, id)
    const limit = searchParams.get('limit')
    if (limit !== null && world.limit === 'refused') return refused('limit')
    const asked = limit === null || world.limit === 'ignored' ? world.page : Number(limit)
    const from = positionOf(searchParams.get(parameterOf(world)) ?? undefined, world)
    return from === undefined ? refused('cursor') : pageOf(world, from, Math.min(asked, world.most))
  }
}

function entityOf(world: AnyWorld, id: string): Response {
  const number = Array.from({ length: world.size }, (_, index) => idOf(index)).indexOf(id)
  if (number < 0 && (world.unknown === 'error' || world.size === 0)) return refused('id', 404)
  const wrap = world.wrap === 'ranked' ? 'not' : world.wrap
  return Response.json(itemOf({ ...world, wrap }, Math.max(number, 0)))
}

function parameterOf({ carrier }: AnyWorld): string {
  return carrier === 'url' || carrier === 'link' ? 'page[after]' : 'cursor'
}

function positionOf(cursor: string | undefined, { cursor: path, isNumber }: AnyWorld): number | undefined {
  if (cursor === undefined || path === undefined) return 0
  const position = isNumber ? cursor : /^c-(\d+)-=$/.exec(cursor)?.[1]
  return /^\d+$/.test(position ?? '') ? Number(position) : undefined
}

function pageOf(world: AnyWorld, from: number, count: number): Response {
  const to = Math.min(from + count, world.size)
  const items = Array.from({ length: to - from }, (_, index) => itemOf(world, from + index))
  const next = world.cursor && to < world.size ? (world.isNumber ? to : `c-${to}-=`) : undefined
  const url = `${API}/entities/${encodeURIComponent(world.type)}?${encodeURIComponent(parameterOf(world))}=${next}`
  const headers: Record<string, string> = {}
  if (next !== undefined && world.carrier === 'link') headers['link'] = `<${url}>; rel="next"`
  else if (next !== undefined && /-/.test(world.carrier)) headers[world.carrier] = `${next}`
  if (world.list.length === 0) return Response.json(items, { headers })
  const body: Record<string, unknown> = { ...world.noise }
  put(body, world.list, items)
  if (world.total) put(body, world.total, world.isPageTotal ? items.length : world.size)
  const isMember = world.carrier === 'member' || world.carrier === 'url'
  if (world.cursor && isMember && next !== undefined)
    put(body, world.cursor, world.carrier === 'url' ? url : next)
  else if (world.cursor && world.end !== 'absent') put(body, world.cursor, world.end)
  return Response.json(body, { headers })
}

function itemOf({ wrap, decoy, id, kind, type }: AnyWorld, number: number): unknown {
  const url = `https://any.example/things/${number}`
  const ref = {
    ...(decoy && { [decoy]: decoy === 'number' ? number % 2 : url }),
    [id]: idOf(number),
    [kind]: type,
  }
  const body = { size: number + 0.25, label: `Thing ${number}`, note: { big: 9007199254740991 - number } }
  if (wrap === 'head') return { meta: ref, body }
  const entity = { ...ref, ...body }
  return wrap === 'not' ? entity : wrap === 'alone' ? [entity] : { rank: number, entity }
}

function put(body: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) body[first] ??= value
  else {
    const inner = body[first]
    const isOpen = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    const next = (isOpen ? inner : {}) as Record<string, unknown>
    body[first] = next
    put(next, rest, value)
  }
}

function refused(what: string, status = 400): Response {
  return Response.json({ code: `invalid_${what}`, message: what }, { status })
}
