/** Faults that surround the reference client: each changes its arguments, its requests, its answers or its output. */
import type { ClientOutput } from '../../src/client/runner.ts'
import { isObject } from '../../src/json/json.ts'
import { parse } from './breaks.ts'
import type { Answer, Call } from './http.ts'

type Send = (url: string, call: Call) => Promise<Answer>

/** Changes to one run of the client. `next` sends a request as usual. */
export interface Hooks {
  args?(args: readonly string[]): readonly string[]
  send?(url: string, call: Call, next: Send): Promise<Answer>
  output?(output: ClientOutput): ClientOutput
}

const WELL_KNOWN = '/.well-known/world.json'
const LIST = /\/entities\/[^/?]+(\?|$)/

/** Sends each request to the changed URL. */
function asks(change: (url: string) => string): Hooks {
  return { send: (url, call, next) => next(url.endsWith(WELL_KNOWN) ? url : change(url), call) }
}

/** Changes the cursor of each request. */
function cursors(change: (cursor: string) => string): Hooks {
  const changed = (text: string) => encodeURIComponent(change(decodeURIComponent(text)))
  return asks((url) => url.replace(/(?<=cursor=)[^&]*/, changed))
}

/** Changes the word at this index of the arguments, unless it is an option. */
function word(index: number, change: (text: string) => string): Hooks {
  return {
    args: (args) => args.map((one, at) => (at === index && !one.startsWith('--') ? change(one) : one)),
  }
}

/** Removes a member from the error object on the last line of stderr. */
function errorWithout(name: string): Hooks {
  return {
    output(output) {
      const lines = output.stderr.trimEnd().split('\n')
      const error = parse(lines.at(-1) ?? '')
      if (!isObject(error)) return output
      const { [name]: _removed, ...others } = error
      return { ...output, stderr: [...lines.slice(0, -1), JSON.stringify(others)].join('\n') }
    },
  }
}

/** Ignores the cursor, and the total, of every page that `isLast` takes for the last one. */
function ends(isLast: (size: number, count: number, limit: number) => boolean): Hooks {
  let count = 0
  return {
    async send(url, call, next) {
      const answer = await next(url, call)
      const page = parse(answer.text)
      if (!LIST.test(url) || !isObject(page) || !Array.isArray(page['entities'])) return answer
      count += 1
      const { nextCursor, total, ...others } = page
      const limit = Number(/(?<=limit=)\d+/.exec(url)?.[0] ?? 50)
      const last = isLast(page['entities'].length, count, limit)
      return last ? { ...answer, text: JSON.stringify(others) } : answer
    },
  }
}

/** Changes the headers of each request. */
function headers(change: Readonly<Record<string, string>>): Hooks {
  return {
    send: (url, call, next) => {
      const sent = call.body === undefined ? { ...change, 'content-type': undefined } : change
      const known = Object.entries(sent).filter(([, value]) => value !== undefined) as [string, string][]
      return next(url, { ...call, headers: { ...call.headers, ...Object.fromEntries(known) } })
    },
  }
}

/** Faults by name. Each is called once for a run, with what the client has kept since its first run. */
export const FAULTS: Readonly<Record<string, (memory: Map<string, string>) => Hooks>> = {
  'asks-v1': () =>
    asks((url) => url.replace(/(?<=^http:\/\/[^/]+)\/.*?(?=\/(entities|actions)\/)/, '/api/v1')),
  'rewrites-version': () => asks((url) => url.replace(/\/v\d+(?=\/(entities|actions)\/)/i, '/v0')),
  'raw-colon-in-entity': () => asks((url) => url.replace(/(?<=\/entities\/\w+)%3A(?=\w+\/)/, ':')),
  'raw-colon-in-list': () => asks((url) => url.replace(/(?<=\/entities\/\w+)%3A(?=\w+(\?|$))/, ':')),
  'raw-colon-in-action': () => asks((url) => url.replace('wp%3A', 'wp:')),
  'double-encodes-type': () => asks((url) => url.replace('%3A', '%253A')),
  'plus-for-space': () => asks((url) => url.replaceAll('%20', '+')),
  'cursor-encoded-twice': () => cursors(encodeURIComponent),
  'cursor-decoded': () => cursors((cursor) => cursor.replaceAll('%2F', '/')),
  'cursor-as-json': () => cursors(JSON.stringify),
  'cursor-parsed': () => cursors((cursor) => String(parse(cursor) ?? cursor)),
  'cursor-folded': () => cursors((cursor) => cursor.toLowerCase()),
  'cursor-normalised': () => cursors((cursor) => cursor.normalize('NFC')),
  'cursor-unpadded': () => cursors((cursor) => cursor.replace(/=+$/, '')),
  'stops-after-two-pages': () => ends((_, count) => count === 2),
  'stops-at-short-page': () => ends((size, _, limit) => size < limit),
  'stops-at-empty-page': () => ends((size) => size === 0),
  'trims-id': () => word(3, (id) => id.trim()),
  'folds-id': () => word(3, (id) => id.toLowerCase()),
  'normalises-id': () => word(3, (id) => id.normalize('NFC')),
  'folds-type': () => word(2, (type) => type.toLowerCase()),
  'error-without-status': () => errorWithout('status'),
  'error-without-code': () => errorWithout('code'),
  'error-without-details': () => errorWithout('details'),
  'error-without-url': () => errorWithout('url'),
  'swallows-errors': () => ({ output: ({ stdout }) => ({ exitCode: 0, stdout, stderr: '' }) }),
  'repeats-action': () => ({
    async send(url, call, next) {
      const answer = await next(url, call)
      return call.method === 'POST' && answer.status >= 500 ? next(url, call) : answer
    },
  }),
  'keeps-document': (memory) => ({
    async send(url, call, next) {
      const text = url.endsWith(WELL_KNOWN) ? memory.get(url) : undefined
      if (text !== undefined) return { status: 200, text, location: undefined }
      const answer = await next(url, call)
      if (url.endsWith(WELL_KNOWN)) memory.set(url, answer.text)
      return answer
    },
  }),
  'keeps-path': (memory) =>
    asks((url) => {
      const [, origin = '', path = '', route = ''] =
        /^(http:\/\/[^/]+)(.*?)(\/(?:entities|actions)\/.*)$/.exec(url) ?? []
      const kept = memory.get('path') ?? path
      memory.set('path', kept)
      return origin + kept + route
    }),
  'keeps-cursor': (memory) => ({
    async send(url, call, next) {
      const kept = memory.get('cursor')
      const isFirst = LIST.test(url) && !url.includes('cursor=') && kept !== undefined
      const answer = await next(isFirst ? `${url}${url.includes('?') ? '&' : '?'}cursor=${kept}` : url, call)
      const page = parse(answer.text)
      if (isObject(page) && typeof page['nextCursor'] === 'string')
        memory.set('cursor', encodeURIComponent(page['nextCursor']))
      return answer
    },
  }),
  'own-limit-or-nothing': () => ({
    async send(url, call, next) {
      const answer = await next(
        LIST.test(url) ? `${url}${url.includes('?') ? '&' : '?'}limit=1000` : url,
        call,
      )
      return answer.status === 422 ? { ...answer, status: 200, text: '{"entities":[]}' } : answer
    },
  }),
  'small-escapes': () => asks((url) => url.replaceAll('%3A', '%3a')),
  'form-query': () => asks((url) => url.replace(/(?<=\?.*)%20/g, '+')),
  'wide-headers': () =>
    headers({ accept: 'application/json;q=1, */*;q=0.1', 'content-type': 'application/json; charset=utf-8' }),
  'array-output': () => ({
    output: (output) => {
      const lines = output.stdout.trimEnd().split('\n')
      return lines.length > 1 ? { ...output, stdout: `[${lines.join()}]` } : output
    },
  }),
}
