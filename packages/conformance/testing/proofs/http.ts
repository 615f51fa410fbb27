/** Proofs that every check of decisions 6 and 8 can fail. */
import {
  answers,
  any,
  asks,
  discovery,
  entity,
  error,
  header,
  type Kind,
  list,
  type Proofs,
  path,
  swap,
} from '../breakages.ts'
import { told } from '../reference-http.ts'
import type { Breakage } from '../reference-world.ts'

const unchanged: Kind = (_asked, { status }) => status === 304
const options: Kind = ({ method }) => method === 'OPTIONS'
const head: Kind = ({ method }) => method === 'HEAD'
const authorized: Kind = ({ headers }) => headers['authorization'] !== undefined
const privately = { setup: { token: 'secret' }, options: { token: 'secret' } }

/** A header that differs in every answer, such as the uptime of the process or the lag of a replica. */
const counting: Breakage = {
  told({ headers }) {
    headers['x-nanoseconds'] = String(process.hrtime.bigint())
  },
}

/** Compares tags by the strong comparison. */
function strongly(kind: RegExp) {
  return asks((asked) => {
    const own = kind.test(asked.path) && asked.headers['if-none-match']?.startsWith('"')
    if (own) delete asked.headers['if-none-match']
  })
}

/** For each check, a world broken so that exactly this check must notice. */
export const httpProofs: Proofs = {
  'D6-1.a': header(discovery, 'cache-control', 'no-store'),
  'D6-2.a': header(entity, 'etag', '"strong"'),
  'D6-2.b': header(list, 'cache-control', 'public, max-age=60'),
  'D6-3.a': header(authorized, 'cache-control', 'public, no-cache'),
  'D6-4.a': header(entity, 'etag', 'W/"other"'),
  'D6-5.a': header(list, 'etag', 'W/"1-v1"'),
  'D6-9.a': strongly(/entities\/[^/]*\/[^/]*$/),
  'D6-9.b': strongly(/entities\/[^/]*$/),
  'D6-10.a': header(unchanged, 'vary'),
  'D6-11.a': { ...header(head, 'etag', 'W/"other"'), base: counting },
  'D6-12.a': header(unchanged, 'access-control-allow-origin'),
  'D6-13.a': header(any, 'access-control-expose-headers', 'ETag'),
  'D6-14.a': answers(options, 200),
  'D6-15.a': header(options, 'access-control-allow-methods', 'GET'),
  'D6-16.a': header(options, 'access-control-allow-headers', '*'),
  'D6-17.a': path(/\/$/, ''),
  'D6-18.a': answers((asked) => asked.path.endsWith('/'), 308),
  'D6-19.a': answers(error('not_acceptable'), 200, {}),
  'D6-19.b': answers((asked, answer) => list(asked, answer) && asked.headers['accept'] === undefined, 406),
  'D6-23.a': asks(({ headers }) => delete headers['accept-encoding']),
  'D6-23.b': asks(({ headers }) => {
    if (headers['accept-encoding'] !== undefined) headers['accept-encoding'] = 'gzip'
  }),
  'D6-24.a': header(list, 'vary', 'Accept'),
  'D6-25.a': header(error(), 'content-security-policy', "default-src 'self'"),
  'D6-26.a': answers((asked, answer) => list(asked, answer) && !authorized(asked, answer), 401),
  'D6-27.a': { ...privately, ...answers(list, 401) },
  'D6-28.a': { ...privately, ...swap(discovery, '"required":true', '"required":false') },
  'D8-1.a': swap(discovery, '"actions":[', '"actions":[{"name":"query"},'),
  'D8-3.a': swap(discovery, '"actions":[', '"actions":[{"name":"wp:changes"},'),
  'D8-4.a': answers(({ path: asked }) => asked.startsWith('/api/operator/'), 200),
  'D8-12.a': {
    setup: { extra: { '/': () => told(200, '', { 'content-type': 'text/html; charset=utf-8' }) } },
    ...header(({ path: asked }) => asked === '/', 'content-type', 'application/json'),
  },
  'D8-13.a': {
    setup: { extra: { '/openapi.json': () => told(200, { openapi: '3.1.1' }) } },
    ...swap(any, '3.1.1', '2.0'),
  },
  'D8-14.a': {
    setup: { extra: { '/mcp': () => told(200, { jsonrpc: '2.0', id: 1, result: {} }) } },
    ...swap(any, 'jsonrpc', 'rpc'),
  },
}
