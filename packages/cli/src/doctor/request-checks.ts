import { authorized, type Check, codeOf, type Deployment, fault, found } from './deployment.ts'
import { Unreachable } from './probe.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Checks that a body just below the world's limit reaches the world. */
const passesBodies: Check = async ({ api, document, probe, ...deployment }) => {
  const limit = Number(document.limits?.['maxRequestBytes'] ?? 0)
  const body = JSON.stringify({ input: { text: 'x', padding: ' '.repeat(Math.max(0, limit - 200)) } })
  const url = `${api}/actions/wp%3Adiscover`
  const headers = { ...JSON_TYPE, ...authorized(deployment) }
  const seen = await probe({ url, method: 'POST', headers, body })
  const isOurs = seen.status === 200 || codeOf(seen) !== undefined
  return found(!isOurs, 'small_body', `A call of ${body.length} bytes was answered with ${seen.status}.`)
}

/** Checks that a header field of 7,500 bytes, which the world accepts, arrives. */
const passesHeaders: Check = async ({ origin, probe }) => {
  const headers = { 'x-doctor': 'x'.repeat(7_500) }
  const seen = await probe({ url: `${origin}/.well-known/world.json`, headers })
  const what = `A header field of 7,500 bytes was answered with ${seen.status}.`
  return found(seen.status !== 200, 'small_headers', what)
}

/** Checks that a bulk write of 2 MiB reaches the world, which refuses the write because it has no token. */
const passesUploads: Check = async (deployment) => {
  const path = operatorPath(deployment)
  if (path === undefined || deployment.type === undefined) return []
  const url = `${new URL(deployment.api).origin}${path}/entities/${encodeURIComponent(deployment.type)}`
  const body = `${' '.repeat(1023)}\n`.repeat(2_048)
  const headers = { 'content-type': 'application/x-ndjson' }
  try {
    const seen = await deployment.probe({ url, method: 'POST', headers, body })
    const isOurs = codeOf(seen) === 'unauthenticated'
    return found(!isOurs, 'small_uploads', `A bulk write of 2 MiB was answered with ${seen.status}.`)
  } catch (error) {
    // The world responds before it has read the whole body, so the connection may break before the response arrives.
    if (error instanceof Unreachable) return []
    throw error
  }
}

/** Checks that PUT, PATCH and DELETE requests reach the world. */
const passesMethods: Check = async (deployment) => {
  const path = operatorPath(deployment)
  if (path === undefined || deployment.type === undefined) return []
  const url = `${new URL(deployment.api).origin}${path}/entities/${encodeURIComponent(deployment.type)}/doctor`
  const answers = await Promise.all(
    ['PUT', 'PATCH', 'DELETE'].map(async (method) => {
      const body = method === 'DELETE' ? {} : { body: '{}' }
      const seen = await deployment.probe({ url, method, headers: JSON_TYPE, ...body })
      return codeOf(seen) === 'unauthenticated' ? undefined : `${method} (${seen.status})`
    }),
  )
  const refused = answers.filter((answer) => answer !== undefined)
  return found(refused.length > 0, 'methods', `Refused before the world sees them: ${refused.join(', ')}.`)
}

/** Checks that the token arrives, and that no cache serves the private response to a client without a token. */
const passesTokens: Check = async ({ page, document, token, probe }) => {
  if (token === undefined || document.authentication?.required !== true) return []
  const allowed = await probe({ url: page, headers: authorized({ token }) })
  if (allowed.status !== 200)
    return fault('authorization', `The token was answered with ${allowed.status} ${codeOf(allowed) ?? ''}.`)
  const stranger = await probe({ url: page })
  const what = 'What was read with a token came without one afterwards: a cache keeps it.'
  return found(stranger.status === 200, 'private_cached', what)
}

/** Checks that event streams are not buffered. */
const passesEvents: Check = async ({ api, document, probe, ...deployment }) => {
  const declared = document.extensions?.['worldwright:changes']
  if (declared === undefined) return []
  const url = `${api}/${String(declared['path'] ?? 'changes')}?since=now`
  const headers = { accept: 'text/event-stream', ...authorized(deployment) }
  try {
    const { status } = await probe({ url, headers, firstPiece: true })
    return found(status >= 500, 'buffered', `A stream of events was answered with ${status}.`)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return fault('buffered', 'A stream of events sent nothing within 10 seconds.')
  }
}

function operatorPath({ document }: Deployment): string | undefined {
  const path = document.extensions?.['worldwright:operator']?.['path']
  return typeof path === 'string' ? path : undefined
}

/** Checks that a proxy passes what the world accepts: bodies, header fields, methods, tokens and streams, in order. */
export const REQUEST_CHECKS: readonly Check[] = [
  passesHeaders,
  passesBodies,
  passesUploads,
  passesMethods,
  passesTokens,
  passesEvents,
]
