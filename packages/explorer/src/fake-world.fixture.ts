/** In-process fake worlds for component tests. They return literal answers and record the requests. */
import type { JsonObject } from '@worldwright/client'
import { holdsValue, parseExact } from '@worldwright/client/exact'
import { connect } from '@worldwright/client/foreign'
import { type ComponentChild, h } from 'preact'
import { type OpenWorld, openWorldOf, WorldContext } from './parts/world-context.ts'
import { profileOf } from './world/world-profile.ts'

/** The variable parts of a request. */
export interface Question {
  readonly input: JsonObject
  readonly query: URLSearchParams
}

/** The JSON of a 200 response, a `Response`, an `Error` that simulates a network failure, or a function that returns one. */
export type Answer = object | ((question: Question) => unknown)

let worlds = 0

/** Definition of a fake world. `document` overrides discovery members. `answers` has keys such as `entities/f:thing/1`. */
export interface FakeWorld {
  readonly document?: object
  readonly answers?: Readonly<Record<string, Answer>>
  /** Queryable properties by type, as the extension `worldwright:query` declares them. */
  readonly asks?: Readonly<Record<string, readonly object[]>>
  readonly token?: string
  /** True for a world that groups the entities of a query. */
  readonly groups?: boolean
}

/** Opens a fake world at an origin of its own, as the page does. Records its requests, with action inputs, in `asked`. */
export async function openFake({ document = {}, answers = {}, asks, token, groups }: FakeWorld = {}) {
  worlds += 1
  const origin = `https://w${worlds}.example`
  const asked: string[] = []
  const queries = asks && {
    actions: [{ name: 'wp:discover' }, { name: 'worldwright:query', safe: true }],
    extensions: { 'worldwright:query': { types: asks, ...(groups && { limits: { groups: 1000 } }) } },
  }
  const whole = { ...documentOf(origin), ...queries, ...document }
  const fetch = async (url: string, { body }: RequestInit = {}) => {
    const { pathname, searchParams: query, search } = new URL(url)
    if (pathname === '/.well-known/world.json') return Response.json(whole)
    const path = decodeURIComponent(pathname.replace(/^\/api\//, ''))
    const input = typeof body === 'string' ? JSON.parse(body).input : undefined
    asked.push(`${path}${search}${input === undefined ? '' : ` ${JSON.stringify(input)}`}`)
    const answer = answers[path]
    const given = typeof answer === 'function' ? await answer({ input: input ?? {}, query }) : answer
    if (given instanceof Error) throw given
    if (given instanceof Response) return given.clone()
    return given === undefined ? refusal(404, 'entity_not_found') : Response.json(given)
  }
  const world = await connect(origin, {
    fetch,
    retries: 0,
    token,
    parse: (text) => parseExact(text, holdsValue),
  })
  const open = openWorldOf(world, profileOf(world))
  return { open, origin, asked, within: (content: ComponentChild) => inWorld(open, content) }
}

function documentOf(origin: string) {
  return {
    protocol: 'world/0.1',
    world: { id: 'urn:example:fake', name: 'Fake' },
    endpoints: { api: `${origin}/api` },
    entityTypes: [{ type: 'f:thing', title: 'Thing' }],
    actions: [{ name: 'wp:discover' }],
  }
}

/** Renders a component within the context of an open world. */
export function inWorld(open: OpenWorld, content: ComponentChild) {
  return h(WorldContext.Provider, { value: open }, content)
}

/** Returns an error response in the format of the protocol. */
export function refusal(
  status: number,
  code: string,
  { headers = {}, ...more }: { headers?: Record<string, string>; message?: string; details?: object } = {},
): Response {
  return Response.json({ code, message: `It is ${code}.`, ...more }, { status, headers })
}

/** Returns a promise that never settles, to simulate a request that gets no response. */
export const SILENCE = () => new Promise<never>(() => {})
