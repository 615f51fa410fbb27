/**
 * A `fetch` that responds from a script and records its requests. For tests only; not published.
 */

/** A request as received by the scripted `fetch`. */
export interface Sent {
  url: string
  method: string
  headers: Headers
  body: string | null
  init: RequestInit
}

/** Scripted answer: a `Response` is returned, an `Error` thrown, a function called, any other object sent as a 200. */
export type Answer = Response | Error | object | ((sent: Sent) => unknown)

/** A discovery document with the members of the specification and an id. Its API is on another origin. */
export const DOCUMENT = {
  protocol: 'world/0.1',
  world: { id: 'urn:uuid:6f0c2a3e-0000-4000-8000-000000000001', name: 'Sol' },
  endpoints: { api: 'https://data.sol.example/w/v3' },
}

/** A token and the origin to which it may be sent. */
export const SECRET = { token: 's3cret', tokenOrigins: ['https://data.sol.example'] }

/** Creates a `fetch` that gives the answers in order. A request after the last answer fails like a broken connection. */
export function scriptedFetch(...answers: Answer[]) {
  const sent: Sent[] = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers as Headers)
    const request = {
      url,
      method: `${init.method}`,
      headers,
      body: (init.body ?? null) as string | null,
      init,
    }
    const answer = answers[sent.push(request) - 1]
    const given = typeof answer === 'function' ? await answer(request) : answer
    if (given === undefined) throw new TypeError(`the script ends before ${url}`)
    if (given instanceof Error) throw given
    const response = given instanceof Response ? given : json(200, given)
    return Object.defineProperty(response, 'url', { value: url, configurable: true })
  }
  return { fetch, sent, urls: () => sent.map(({ url }) => url) }
}

/** Creates a response with a JSON body, for scripted answers. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** Creates a protocol error response. */
export function failure(status: number, code: string, headers: Record<string, string> = {}): Response {
  return json(status, { code, message: `It is ${code}.`, details: {}, requestId: 'r-1' }, headers)
}
