/** Checks of names and paths: the address that the world claims, and whether requests arrive as they were sent. */

import { authorized, type Check, codeOf, fault, found } from './deployment.ts'
import { Unreachable } from './probe.ts'
import { isForeign } from './reach.ts'

const DISCOVERY = '/.well-known/world.json'

/** Checks that clients can use the address named by discovery, and that it leads to this world. */
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

/** Checks that a client cannot choose the address that the world names. */
const ignoresForwarded: Check = async ({ origin, probe }) => {
  const headers = { 'x-forwarded-host': 'doctor.invalid', 'x-forwarded-proto': 'https' }
  const { body } = await probe({ url: origin + DISCOVERY, headers })
  const isNamed = body.toString().includes('doctor.invalid')
  const what = 'X-Forwarded-Host of a reader is believed: discovery named doctor.invalid.'
  return found(isNamed, 'forwarded', what)
}

/** Checks that an id with a slash arrives as one path segment. */
const passesSlashes: Check = async ({ api, type, probe, ...deployment }) => {
  if (type === undefined) return []
  const url = `${api}/entities/${encodeURIComponent(type)}/doctor%2Fprobe`
  const seen = await probe({ url, headers: authorized(deployment) })
  const code = codeOf(seen)
  if (code === 'entity_not_found' || code === 'unauthenticated') return []
  const happened = code === undefined ? `${seen.status}, and no error of the world` : `${seen.status} ${code}`
  return fault('encoded_slash', `An id with a slash, sent as doctor%2Fprobe, was answered with ${happened}.`)
}

/** Checks that the query arrives, and a type with its colon as `%3A`, as every client sends it. */
const passesTargets: Check = async ({ page, type, probe, ...deployment }) => {
  if (type === undefined) return []
  const seen = await probe({ url: page, headers: authorized(deployment) })
  if (seen.status === 401) return []
  if (seen.status !== 200)
    return fault('encoded_colon', `${page} was answered with ${seen.status} ${codeOf(seen) ?? ''}.`)
  const { limit } = JSON.parse(seen.body.toString())
  return found(limit !== 1, 'query', `limit=1 was asked for, and limit=${limit} was answered.`)
}

/** Checks that a long cursor arrives: the world accepts targets of 8 KiB. */
const passesLongTargets: Check = async ({ page, type, probe, ...deployment }) => {
  if (type === undefined) return []
  const seen = await probe({ url: `${page}&cursor=${'c'.repeat(6_000)}`, headers: authorized(deployment) })
  // `passesTargets` reports a lost query. Other codes do not count: a proxy may refuse with a code of the world.
  const isOurs = seen.status === 200 || ['invalid_cursor', 'unauthenticated'].includes(codeOf(seen) ?? '')
  return found(!isOurs, 'small_target', `A target of 6,100 bytes was answered with ${seen.status}.`)
}

/** Checks of names and paths, in execution order. */
export const ADDRESS_CHECKS: readonly Check[] = [
  namesItsAddress,
  ignoresForwarded,
  passesTargets,
  passesSlashes,
  passesLongTargets,
]
