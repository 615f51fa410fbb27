/** Explains failed calls to a world, with advice for the user. */
import type { WorldError } from '@worldwright/client'
import { shellWord } from './visible.ts'

/** Explanation of a failure. It may contain text from a world, so it must be escaped for display. */
export interface FailureWords {
  readonly what: string
  /** Advice for the user; undefined if there is none. */
  readonly wayOut?: string | undefined
}

/** Arguments that the user typed, by name, such as `origin` and `type`. */
export type Typed = Readonly<Record<string, string | undefined>>

/** Explains a failure. Keeps the message of the world and adds advice, whose commands repeat the typed arguments. */
export function failureWords(error: WorldError, typed: Typed = {}): FailureWords {
  const { code, details, status, url } = error
  const origin = URL.parse(url)?.origin ?? ''
  if (code === 'network_error') return connectionWords(error, origin)
  if (code === 'not_a_world' || (/^http_\d/.test(code) && url.endsWith('/.well-known/world.json'))) {
    const answer = status === 200 ? 'with something else' : `with status ${status}`
    return {
      what: `There is no world at ${origin}: where its discovery document would be, it answers ${answer}.`,
      wayOut: 'Check the address. A world is opened by its origin, such as https://sol.example',
    }
  }
  if (code === 'timeout' && status === 0)
    return { what: `${origin} did not answer in time.`, wayOut: 'It may be busy. Try again later.' }
  if (code === 'unsupported_protocol') {
    const { offered, supported } = details
    return {
      what: `The world at ${origin} speaks ${offered}, and this program ${supported}.`,
      wayOut: 'Look for a newer version of worldwright.',
    }
  }
  if (code === 'insecure_endpoint' && Array.isArray(details['tokenOrigins']))
    return {
      what: `The API is at ${details['api']}, says ${details['namedBy']}: the token was not sent there.`,
      wayOut: details['tokenOrigins'].includes(details['api'])
        ? 'A token goes over https alone, or to this machine.'
        : `If it may get the token: --token-origin ${details['api']}`,
    }
  if (code === 'invalid_response' && Array.isArray(details['members']))
    return {
      what: `A list of ${origin}, or its end, was not recognised. Its members: ${details['members'].join(', ') || 'none'}.`,
      wayOut: 'Name them: --names entities=PATH,cursor=PATH,total=PATH, or cursor=header:NAME for a header',
    }
  if (code === 'unsupported_extension')
    return { what: `This world has no ${details['extension']}, so its changes cannot be watched.` }
  if (isWithoutQuery(error)) {
    const { origin: at = 'ORIGIN' } = typed
    return {
      what: 'This world has no worldwright:query, so it cannot be filtered, sorted or counted.',
      wayOut: `Read all of it and query that: npx worldwright query ${shellWord(at)} --walk, or search it by words: npx worldwright discover ${shellWord(at)} WORDS`,
    }
  }
  if (code === 'invalid_argument' && details['expected'] !== undefined)
    return { what: 'An origin is scheme, host and port, such as https://sol.example or localhost:8080' }
  return { what: error.message, wayOut: wayOut(error, typed) }
}

function wayOut({ code, details, status, retryAfter }: WorldError, typed: Typed): string | undefined {
  if (retryAfter !== undefined) return `Try again in ${retryAfter} s.`
  if (code === 'invalid_input' && Array.isArray(details['properties']))
    return `Queryable properties: ${details['properties'].map(String).join(', ')}`
  const { where, origin = where, type } = typed
  if (code === 'entity_not_found' && origin && type)
    return `See what there is: npx worldwright list ${shellWord(origin)} ${shellWord(type)}`
  if ((code === 'entity_not_found' || code === 'unknown_type') && origin)
    return `See which types there are: npx worldwright show ${shellWord(origin)}`
  if (code === 'changes_expired') return 'Start again without --since.'
  if (code === 'api_moved')
    return 'Its discovery document names a place where the API is no longer. Tell the operator of the world.'
  if (status === 401) return 'Give a token that this world knows: --token TOKEN, or WORLD_TOKEN'
  if (status === 403) {
    const scope = typeof details['scope'] === 'string' ? ` It has to have the scope ${details['scope']}.` : ''
    return `Ask the operator of the world for a token that may do this.${scope}`
  }
  if (status === 429 || status === 503) return 'Try again later.'
  return undefined
}

/** Reports whether a query failed because the world has no such action. A world may have its own code for that. */
function isWithoutQuery({ code, status, url }: WorldError): boolean {
  const isOther = ['entity_not_found', 'unknown_type'].includes(code)
  const isUnknown = code === 'unknown_action' || ([404, 405, 501].includes(status) && !isOther)
  return isUnknown && url.endsWith('/actions/worldwright%3Aquery')
}

function connectionWords(error: WorldError, origin: string): FailureWords {
  const code = systemCode(error) ?? ''
  const host = URL.parse(origin)?.hostname ?? origin
  if (code === 'ENOTFOUND')
    return { what: `No host is named ${host} (${code}).`, wayOut: 'Check the spelling of the address.' }
  if (['EAI_AGAIN', 'ENETDOWN', 'ENETUNREACH'].includes(code))
    return { what: `There is no network to reach ${host} (${code}).`, wayOut: 'Check the network here.' }
  if (code === 'ECONNREFUSED')
    return {
      what: `Nothing listens at ${origin} (${code}).`,
      wayOut: 'Check host and port, and whether the world is being served.',
    }
  if (code.startsWith('ERR_SSL'))
    return {
      what: `${origin} does not speak https (${code}).`,
      wayOut: 'Check the port, or write http:// before the host.',
    }
  if (/CERT/.test(code))
    return {
      what: `The certificate of ${origin} is not one to be trusted (${code}).`,
      wayOut: 'Check the address, and tell the operator. NODE_EXTRA_CA_CERTS names authorities of your own.',
    }
  return {
    what: `The connection to ${origin} failed${code && ` (${code})`}.`,
    wayOut: 'Check the address and the network, and try again.',
  }
}

/** Returns the first system error code, such as ECONNREFUSED, in the cause chain of an error. */
function systemCode(error: unknown): string | undefined {
  const { code, cause } = Object(error)
  return /^[A-Z][A-Z_]+$/.test(code) ? code : cause && systemCode(cause)
}
