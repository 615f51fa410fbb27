import { authorized, type Check, codeOf, fault, found } from './deployment.ts'
import { Unreachable } from './probe.ts'
import { isForeign } from './reach.ts'

const DISCOVERY = '/.well-known/world.json'

/** Checks that the API address in the discovery document is reachable and leads to this world. */
const namesItsAddress: Check = async ({ origin, document, probe }) => {
  const { api } = document.endpoints
  const own = new URL(api).origin
  if (own === origin) return []
  if (isForeign(api, origin)) {
    const what = `Discovery names ${api}, and you came by ${origin}: others cannot follow.`
    return fault('address', what)
  }
  try {
    const { body } = await probe({ url: own + DISCOVERY })
    const isSame = JSON.parse(body.toString())?.world?.id === document.world?.id
    return found(!isSame, 'api_unreachable', `Discovery names ${api}, where another world answers.`)
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof SyntaxError)) throw error
    return fault('api_unreachable', `Discovery names ${api}, where nobody answers: ${error.message}.`)
  }
}

/** Checks that X-Forwarded-* fields sent by a client do not change the address in the discovery document. */
const ignoresForwarded: Check = async ({ origin, probe }) => {
  const headers = { 'x-forwarded-host': 'doctor.invalid', 'x-forwarded-proto': 'https' }
  const { body } = await probe({ url: origin + DISCOVERY, headers })
  const isNamed = body.toString().includes('doctor.invalid')
  const what = 'X-Forwarded-Host of a reader is believed: discovery named doctor.invalid.'
  return found(isNamed, 'forwarded', what)
}

/** Checks that an id that contains a slash arrives as one path segment. */
const passesSlashes: Check = async ({ api, type, probe, ...deployment }) => {
  if (type === undefined) return []
  const url = `${api}/entities/${encodeURIComponent(type)}/doctor%2Fprobe`
  const seen = await probe({ url, headers: authorized(deployment) })
  const code = codeOf(seen)
  if (code === 'entity_not_found' || code === 'unauthenticated') return []
  const happened = code === undefined ? `${seen.status}, and no error of the world` : `${seen.status} ${code}`
  return fault('encoded_slash', `An id with a slash, sent as doctor%2Fprobe, was answered with ${happened}.`)
}

/** Checks that the query string arrives, and that a type whose colon is encoded as `%3A` is recognised. */
const passesTargets: Check = async ({ page, type, probe, ...deployment }) => {
  if (type === undefined) return []
  const seen = await probe({ url: page, headers: authorized(deployment) })
  if (seen.status === 401) return []
  if (seen.status !== 200)
    return fault('encoded_colon', `${page} was answered with ${seen.status} ${codeOf(seen) ?? ''}.`)
  const { limit } = JSON.parse(seen.body.toString())
  return found(limit !== 1, 'query', `limit=1 was asked for, and limit=${limit} was answered.`)
}

/** Checks that a long cursor arrives. A world accepts request targets of up to 8 KiB. */
const passesLongTargets: Check = async ({ page, type, probe, ...deployment }) => {
  if (type === undefined) return []
  const seen = await probe({ url: `${page}&cursor=${'c'.repeat(6_000)}`, headers: authorized(deployment) })
  // `passesTargets` reports a lost query. Other codes prove nothing, since the proxy may itself be a world.
  const isOurs = seen.status === 200 || ['invalid_cursor', 'unauthenticated'].includes(codeOf(seen) ?? '')
  return found(!isOurs, 'small_target', `A target of 6,100 bytes was answered with ${seen.status}.`)
}

/** Checks the address that the world declares, and that request targets arrive unchanged, in their execution order. */
export const ADDRESS_CHECKS: readonly Check[] = [
  namesItsAddress,
  ignoresForwarded,
  passesTargets,
  passesSlashes,
  passesLongTargets,
]
