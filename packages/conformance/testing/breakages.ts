/** Ways to break one rule of the reference world. */
import type { ServerOptions } from '../src/check-server.ts'
import type { Asked, Told } from './reference-http.ts'
import type { ReferenceSetup } from './reference-routes.ts'
import type { Breakage } from './reference-world.ts'

/** Proof that a check can pass, and can fail. */
export interface Proof {
  /** Makes the check fail. */
  readonly broken: Breakage
  /** The world in which the check can be asked, if the plain one is not enough. */
  readonly setup?: ReferenceSetup
  readonly base?: Breakage
  readonly options?: ServerOptions
  /** Set if the specification allows the breakage: the check then warns instead of failing. */
  readonly warns?: true
}

/** Proofs by the id of their check. */
export type Proofs = Readonly<Record<string, Proof>>

/** Selects the answers that a breakage changes. */
export type Kind = (asked: Asked, told: Told) => boolean

/** A body, of whatever shape. */
export type Body = Record<string, unknown>

/** Every answer of the world, without exception. */
export const any: Kind = () => true
/** Answers at the path of the discovery document. */
export const discovery: Kind = ({ path }) => path === '/.well-known/world.json'
/** Answers of the list route, failed ones included. */
export const list: Kind = ({ path, method }) => method !== 'OPTIONS' && /\/entities\/[^/]+$/.test(path)
/** Successful answers of the list route. */
export const page: Kind = (asked, told) => list(asked, told) && told.status === 200
/** Answers of the entity route, failed ones included. */
export const entity: Kind = ({ path }) => /\/entities\/[^/]+\/[^/]+$/.test(path)
/** Answers of the route of any action. */
export const action: Kind = ({ path }) => path.includes('/actions/')

/** Answers at any route of the API. */
export const api: Kind = (asked, told) => !discovery(asked, told)
/** Matches every refusal, regardless of its body. */
export const refused: Kind = (_asked, { status }) => status >= 400

/** Selects the answers of one kind that have a status below 300. */
export function success(kind: Kind): Kind {
  return (asked, told) => kind(asked, told) && told.status < 300
}

/** Selects every answer of a kind but the first ones. */
export function later(kind: Kind, first = 1): Kind {
  const next = counter()
  return (asked, told) => kind(asked, told) && next() > first
}

/** Selects errors, with one code or with any. */
export function error(code?: string): Kind {
  return (_asked, { body }) => {
    const found = (body as Body | undefined)?.['code']
    return code === undefined ? found !== undefined : found === code
  }
}

/** Selects answers to requests whose query or body holds a text. */
export function asking(part: string | RegExp, kind: Kind = any): Kind {
  const pattern = typeof part === 'string' ? undefined : part
  return (asked, told) => {
    const text = `${asked.query}\n${asked.body}`
    return kind(asked, told) && (pattern === undefined ? text.includes(String(part)) : pattern.test(text))
  }
}

/** Changes the JSON text of some answers. */
export function text(kind: Kind, change: (json: string, asked: Asked) => string): Proof {
  return {
    broken: {
      told(told, asked) {
        if (told.body !== undefined && kind(asked, told))
          told.bytes = Buffer.from(change(JSON.stringify(told.body), asked))
      },
    },
  }
}

/** Replaces every occurrence of one text in some answers. */
export function swap(kind: Kind, from: string, to: string): Proof {
  return text(kind, (json) => json.replaceAll(from, to))
}

/** Changes the JSON object of some answers. */
export function edit(kind: Kind, change: (body: Body, asked: Asked) => void): Proof {
  return text(kind, (json, asked) => {
    const body: Body = JSON.parse(json)
    change(body, asked)
    return JSON.stringify(body)
  })
}

/** Changes one object inside the JSON object of some answers. */
export function editIn(kind: Kind, name: string, change: (inner: Body, asked: Asked) => void): Proof {
  return edit(kind, (body, asked) => {
    const inner = body[name]
    if (typeof inner === 'object' && inner !== null) change(inner as Body, asked)
  })
}

/** Returns a function that counts its calls. */
export function counter(): () => number {
  let calls = 0
  return () => {
    calls += 1
    return calls
  }
}

/** Changes answers differently each time. */
export function counting(change: (body: Body, count: number, asked: Asked) => void, kind = discovery): Proof {
  const next = counter()
  return edit(kind, (body, asked) => change(body, next(), asked))
}

/** Sends other bytes with the status and the headers of the answer. */
export function sends(
  kind: Kind,
  change: (json: string) => Buffer | string,
  headers: Record<string, string> = {},
): Proof {
  return {
    broken: {
      told(told, asked) {
        if (!kind(asked, told) || told.body === undefined) return
        told.bytes = Buffer.from(change(JSON.stringify(told.body)) as string)
        Object.assign(told.headers, headers)
      },
    },
  }
}

/** Answers with a web page, and the status unchanged or `status`. */
export function webPage(kind: Kind, status?: number): Proof {
  return {
    broken: {
      told(told, asked) {
        if (!kind(asked, told)) return
        told.status = status ?? told.status
        told.headers['content-type'] = 'text/html'
        told.bytes = Buffer.from('<!doctype html><title>No</title><p>Something is wrong.</p>')
      },
    },
  }
}

/** Answers with a redirect to a path. */
export function redirects(kind: Kind, location: string): Proof {
  return {
    broken: {
      told(told, asked) {
        if (!kind(asked, told)) return
        told.status = 302
        told.headers['location'] = location
        told.bytes = Buffer.from('Elsewhere.')
      },
    },
  }
}

/** Sets a header of some answers, or removes it. */
export function header(kind: Kind, name: string, value?: string): Proof {
  return {
    broken: {
      told(told, asked) {
        if (!kind(asked, told)) return
        delete told.headers[name]
        if (value !== undefined) told.headers[name] = value
      },
    },
  }
}

/** Answers with another body and status. */
export function answers(
  kind: Kind,
  status: number,
  body: unknown = { code: 'other', message: 'Other.' },
): Proof {
  return {
    broken: {
      told(told, asked) {
        if (!kind(asked, told)) return
        told.status = status
        told.body = body
      },
    },
  }
}

/** Answers with an empty body, and the status unchanged. */
export function empty(kind: Kind): Proof {
  return {
    broken: {
      told(told, asked) {
        if (kind(asked, told)) told.bytes = Buffer.alloc(0)
      },
    },
  }
}

/** Answers with a web page, as a success. */
export function page200(kind: Kind): Proof {
  return {
    broken: {
      told(told, asked) {
        if (!kind(asked, told)) return
        told.status = 200
        told.bytes = Buffer.from('<!doctype html><p>It works!</p>')
      },
    },
  }
}

/** Changes the request before the world reads it. */
export function asks(change: (asked: Asked) => void): Proof {
  return { broken: { asked: change } }
}

/** Rewrites the query of every request. */
export function query(from: string | RegExp, to: string): Proof {
  return asks((asked) => {
    asked.query = asked.query.replace(from, to)
  })
}

/** Rewrites the path of every request. */
export function path(from: string | RegExp, to: string): Proof {
  return asks((asked) => {
    asked.path = asked.path.replace(from, to)
  })
}

/** Rewrites the body of every request. */
export function input(from: string, to: string): Proof {
  return asks((asked) => {
    asked.body = Buffer.from(asked.body.toString().replaceAll(from, to))
  })
}
