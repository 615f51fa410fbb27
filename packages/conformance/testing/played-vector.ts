/** Expands the vectors of `docs/spec/rules.json`, so that one short program can play all those for clients. */

/** A test case of a rule, usable by any implementation: its kind defines the meaning of its other members. */
export interface SpecVector {
  readonly kind: string
  readonly call?: SpecCall
  readonly [member: string]: unknown
}

/** A call of a client. */
interface SpecCall {
  readonly operation: string
  readonly type?: string
  readonly id?: string
  readonly text?: string
  readonly types?: readonly string[]
  readonly limit?: number
  readonly all?: boolean
}

/** Members of a vector with a call, as in `rules.json`. */
interface Compact {
  readonly call: SpecCall
  readonly api: string
  readonly request?: { readonly body?: unknown }
  readonly pages?: readonly unknown[]
  readonly cursors?: readonly string[]
  readonly cursor?: string
  readonly answer?: unknown
  readonly error?: unknown
}

const ORIGIN = 'https://sol.example'
const MOONS = { entities: [{ type: 'sol:moon', id: 'a' }] }
const ANSWERS: Readonly<Record<string, object>> = {
  get: { type: 'sol:moon', id: 'a' },
  list: MOONS,
  discover: { action: 'wp:discover', output: MOONS },
}

/** For each kind of vector with a call: the answers to the client, and what the client must do. */
const PLAYED: Readonly<Record<string, (vector: Compact) => object>> = {
  calls: ({ call, request, error }) => ({
    answers: answersOf([ANSWERS[call.operation]]),
    requests:
      request === undefined ? [] : [{ ...request, body: request.body && JSON.stringify(request.body) }],
    error: error && { code: error },
  }),
  cursors: (vector) => ({
    cursor: vector.cursor,
    answers: answersOf([{ ...MOONS, nextCursor: vector.cursor }, { entities: [] }]),
    requests: walkOf(vector, [String(vector.cursor)]),
  }),
  errors: ({ answer, error }) => ({ answers: [answer], error }),
  walks: ({ pages = [], cursors, error, ...vector }) => ({
    answers: answersOf(pages),
    // A client may ask again if nothing says that a single page is all.
    requests: cursors?.length ? walkOf(vector, cursors) : undefined,
    error: error && { code: error },
  }),
}

/** Returns the members of a case: if the vector has a call, also its arguments, the answers and the expected requests. */
export function playedVector({ kind, call, ...members }: SpecVector): object {
  const play = PLAYED[kind]
  if (call === undefined || play === undefined) return members
  const {
    request,
    pages,
    cursors,
    cursor,
    answer,
    error,
    api = `${ORIGIN}/api/world/v0`,
    ...others
  } = members
  const played = play({ ...members, api: String(api), call })
  return { call, arguments: argumentsOf(call), api, ...played, ...others }
}

function answersOf(pages: readonly unknown[]): object[] {
  const headers = { 'content-type': 'application/json' }
  return pages.map((page) => ({ status: 200, headers, body: JSON.stringify(page) }))
}

/** Returns the requests of a walk that gets these cursors. */
function walkOf({ api, call: { type = '', limit } }: Compact, cursors: readonly string[]): object[] {
  const size = limit === undefined ? [] : [`limit=${limit}`]
  return [[], ...cursors.map((cursor) => [`cursor=${encodeURIComponent(cursor)}`])].map((own) => {
    const query = [...size, ...own].join('&')
    const headers = { accept: 'application/json' }
    return {
      method: 'GET',
      url: `${api}/entities/${encodeURIComponent(type)}${query && `?${query}`}`,
      headers,
    }
  })
}

/** Returns a call as the arguments of a client's command. */
function argumentsOf({ operation, type, id, text, types = [], limit, all }: SpecCall): string[] {
  const words = [operation, ORIGIN, type, id, text].filter((word) => word !== undefined)
  const size = limit === undefined ? [] : ['--limit', String(limit)]
  return [...words, ...types.flatMap((one) => ['--type', one]), ...size, ...(all ? ['--all'] : []), '--json']
}
