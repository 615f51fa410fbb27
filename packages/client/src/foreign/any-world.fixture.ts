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
  /** True if cursors are numbers. */
  isNumber: boolean
  total: readonly string[] | undefined
  wrap: 'not' | 'ranked' | 'alone'
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
  return fc.record({
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
    isNumber: fc.boolean(),
    total: fc.oneof(fc.constant(undefined), nested(fc.constantFrom('total', 'totalCount', 'total_results'))),
    wrap: fc.constantFrom('not', 'ranked', 'alone'),
    noise: fc.dictionary(
      word.map((name) => `z${name}`),
      fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean(), fc.constant(['x'])),
      { maxKeys: 3 },
    ),
  }) as fc.Arbitrary<AnyWorld>
}

/** Returns a `fetch` that serves the world at `https://any.example`. */
export function answering(world: AnyWorld): (url: string) => Promise<Response> {
  return async (url) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/.well-known/world.json')
      return Response.json({ protocol: 'world/0.1', endpoints: { api: 'https://any.example/api' } })
    const limit = searchParams.get('limit')
    if (limit !== null && world.limit === 'refused') return refused('limit')
    const asked = limit === null || world.limit === 'ignored' ? world.page : Number(limit)
    const from = positionOf(searchParams.get('cursor') ?? undefined, world)
    return from === undefined
      ? refused('cursor')
      : Response.json(bodyOf(world, from, Math.min(asked, world.most)))
  }
}

function positionOf(cursor: string | undefined, { cursor: path, isNumber }: AnyWorld): number | undefined {
  if (cursor === undefined || path === undefined) return 0
  const position = isNumber ? cursor : /^c-(\d+)-=$/.exec(cursor)?.[1]
  return /^\d+$/.test(position ?? '') ? Number(position) : undefined
}

function bodyOf(world: AnyWorld, from: number, count: number): unknown {
  const to = Math.min(from + count, world.size)
  const items = Array.from({ length: to - from }, (_, index) => itemOf(world, from + index))
  if (world.list.length === 0) return items
  const body: Record<string, unknown> = { ...world.noise }
  put(body, world.list, items)
  if (world.total) put(body, world.total, world.size)
  if (world.cursor && to < world.size) put(body, world.cursor, world.isNumber ? to : `c-${to}-=`)
  else if (world.cursor && world.end !== 'absent') put(body, world.cursor, world.end)
  return body
}

function itemOf({ wrap }: AnyWorld, number: number): unknown {
  const entity = { id: `e${number}`, type: 'any:thing', size: number }
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

function refused(what: string): Response {
  return Response.json({ code: `invalid_${what}`, message: what }, { status: 400 })
}
