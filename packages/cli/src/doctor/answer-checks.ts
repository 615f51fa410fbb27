import { gunzipSync } from 'node:zlib'
import { authorized, type Check, codeOf, fault, found } from './deployment.ts'

/** Maximum clock skew, in milliseconds. */
const SKEW_MS = 60_000

/** Maximum acceptable replication lag, in seconds. */
const LAG_SECONDS = 60

/** Checks that CORS lets any origin read responses and exposes the `ETag` field, which web pages need. */
const allowsPages: Check = async ({ origin, probe }) => {
  const url = `${origin}/.well-known/world.json`
  const { headers, counts } = await probe({ url, headers: { origin: 'https://doctor.invalid' } })
  const times = counts.get('access-control-allow-origin') ?? 0
  const value = headers['access-control-allow-origin']
  if (times > 1)
    return fault('cors', `Access-Control-Allow-Origin comes ${times} times: browsers refuse that.`)
  if (value !== '*') return fault('cors', `Access-Control-Allow-Origin is ${value ?? 'missing'}, not *.`)
  const exposed = (headers['access-control-expose-headers'] ?? '').toLowerCase()
  return found(!/\*|etag/.test(exposed), 'cors', 'Access-Control-Expose-Headers does not name ETag.')
}

/** Checks the CORS preflight that a browser sends before a POST. */
const answersPreflight: Check = async ({ api, probe }) => {
  const seen = await probe({
    url: `${api}/actions/wp%3Adiscover`,
    method: 'OPTIONS',
    headers: {
      origin: 'https://doctor.invalid',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, authorization',
    },
  })
  const { headers, status } = seen
  const allows = (headers['access-control-allow-methods'] ?? '').includes('POST')
  return found(!(status < 300 && allows), 'preflight', `A preflight for POST was answered with ${status}.`)
}

/** Checks that error responses keep their error code. */
const keepsErrors: Check = async ({ api, probe, ...deployment }) => {
  const seen = await probe({ url: `${api}/doctor`, headers: authorized(deployment) })
  const happened = `${seen.status} and ${seen.headers['content-type'] ?? 'no type'}`
  const what = `A path that is not there was answered with ${happened}: no code.`
  return found(codeOf(seen) === undefined, 'errors', what)
}

/** Checks that a request with the current entity tag gets a 304 response. */
const keepsTags: Check = async ({ page, probe, ...deployment }) => {
  const headers = { ...authorized(deployment), 'accept-encoding': 'gzip' }
  const first = await probe({ url: page, headers })
  if (first.status !== 200) return []
  const tag = first.headers['etag']
  if (tag === undefined) return fault('tags', 'Answers have no ETag.')
  const again = await probe({ url: page, headers: { ...headers, 'if-none-match': tag } })
  const what = `If-None-Match with the tag just given was answered with ${again.status}.`
  return found(again.status !== 304, 'tags', what)
}

/** Checks that Cache-Control arrives unchanged, and that no cache serves a stale list. */
const keepsCaching: Check = async ({ page, type, document, probe, ...deployment }) => {
  const { status, headers } = await probe({ url: page, headers: authorized(deployment) })
  if (status !== 200 || type === undefined) return []
  const isPrivate = document.authentication?.required === true
  const expected = isPrivate ? /no-cache|no-store/ : /^public, no-cache$/
  const caching = headers['cache-control'] ?? 'missing'
  const age = Number(headers['age'] ?? 0)
  const unsaid = `Cache-Control of a list is ${caching}, which the world did not say.`
  return [
    ...found(!expected.test(caching), 'caching', unsaid),
    ...found(age > 0, 'caching', `A list that must be asked for each time is ${age} s old.`),
  ]
}

/** Checks that large responses are compressed exactly once if the client accepts gzip. */
const compresses: Check = async ({ api, type, probe, ...deployment }) => {
  if (type === undefined) return []
  const url = `${api}/entities/${encodeURIComponent(type)}?limit=100`
  const plain = await probe({ url, headers: { ...authorized(deployment), 'accept-encoding': 'identity' } })
  if (plain.status !== 200 || plain.body.length < 2_048) return []
  const packed = await probe({ url, headers: { ...authorized(deployment), 'accept-encoding': 'gzip' } })
  if (packed.headers['content-encoding'] !== 'gzip')
    return fault(
      'not_compressed',
      `${plain.body.length} bytes were not compressed, though gzip was accepted.`,
    )
  const varies = /accept-encoding|\*/i.test(packed.headers['vary'] ?? '')
  const twice = 'A compressed answer cannot be unpacked, or is packed twice.'
  return [
    ...found(!varies, 'vary', 'A compressed answer has no Vary: Accept-Encoding, so that caches mix it up.'),
    ...found(!isGzipOnce(packed.body), 'not_compressed', twice),
  ]
}

function isGzipOnce(body: Buffer): boolean {
  try {
    const unpacked = gunzipSync(body)
    return !(unpacked[0] === 0x1f && unpacked[1] === 0x8b)
  } catch {
    // The prober truncates long bodies, so only the magic number is checked.
    return body[0] === 0x1f && body[1] === 0x8b
  }
}

/** Checks that the server's clock agrees with the local one, since cache ages depend on both. */
const keepsTime: Check = async ({ origin, probe }) => {
  const { headers } = await probe({ url: `${origin}/.well-known/world.json`, method: 'HEAD' })
  const skew = Date.parse(headers['date'] ?? '') - Date.now()
  if (Number.isNaN(skew)) return []
  const seconds = Math.round(Math.abs(skew) / 1_000)
  const what = `Its clock is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} ours.`
  return found(Math.abs(skew) > SKEW_MS, 'clock', what)
}

/** Checks that a replica or cluster node does not lag far behind. */
const keepsUp: Check = async ({ origin, probe }) => {
  const { headers } = await probe({ url: `${origin}/.well-known/world.json`, method: 'HEAD' })
  const seconds = Number(headers['worldwright-lag'] ?? 0)
  return found(seconds > LAG_SECONDS, 'behind', `It is a replica, ${Math.floor(seconds)} s behind.`)
}

/** Checks that a response repeats the Request-Id of its request, so that the request can be found in the log. */
const keepsRequestIds: Check = async ({ origin, probe }) => {
  const id = 'doctor-1'
  const url = `${origin}/.well-known/world.json`
  const { headers } = await probe({ url, headers: { 'request-id': id } })
  return found(headers['request-id'] !== id, 'request_id', 'Request-Id does not come back as it was sent.')
}

/** Checks that metrics, configuration and readiness are not public. */
const hidesAdmin: Check = async ({ origin, probe }) => {
  const paths = await Promise.all(
    ['/metrics', '/config', '/ready'].map(async (path) => {
      const { status, body } = await probe({ url: origin + path, headers: { accept: '*/*' } })
      return status === 200 && /world_|"settings"|"ready"/.test(body.toString()) ? path : undefined
    }),
  )
  const open = paths.filter((path) => path !== undefined)
  return found(open.length > 0, 'exposed', `${open.join(' and ')} can be read by everybody.`)
}

/** Checks that responses arrive as the world sent them, in their execution order. */
export const ANSWER_CHECKS: readonly Check[] = [
  allowsPages,
  answersPreflight,
  keepsErrors,
  keepsTags,
  keepsCaching,
  compresses,
  keepsTime,
  keepsUp,
  keepsRequestIds,
  hidesAdmin,
]
