/** Classifies failed reads for display. */
import { isWorldError } from '@worldwright/client'

/** Cause of a failure. Each cause has its own text. */
export type Cause = ReturnType<typeof causeOf> | 'unrecognised' | 'ownFault'

/** A failure, with the data that the page displays about it. */
export interface Failure {
  readonly cause: Cause
  /** Error code from the world or the client. */
  readonly code: string
  readonly message: string
  readonly status: number
  readonly url: string
  readonly requestId: string | undefined
  /** Seconds to wait before a retry, as requested by the world. */
  readonly wait: number | undefined
  readonly details: Record<string, unknown>
}

const BY_CODE = {
  not_a_world: 'notAWorld',
  unsupported_protocol: 'otherVersion',
  timeout: 'timeout',
  action_timeout: 'timeout',
  request_timeout: 'timeout',
  entity_not_found: 'notFound',
  not_found: 'notFound',
  unknown_type: 'unknownType',
  unauthenticated: 'needsToken',
  insecure_endpoint: 'insecure',
  forbidden: 'forbidden',
  rate_limited: 'busy',
  unavailable: 'busy',
  api_moved: 'moved',
  world_mismatch: 'moved',
  invalid_cursor: 'badCursor',
  changes_expired: 'badCursor',
  invalid_response: 'strange',
  response_too_large: 'strange',
  pagination_loop: 'strange',
} as const

const BY_STATUS = {
  401: 'needsToken',
  403: 'forbidden',
  404: 'notFound',
  408: 'timeout',
  410: 'moved',
  429: 'busy',
  503: 'busy',
  504: 'timeout',
} as const

/** State of the browser when no response arrived. It helps to guess the cause, which browsers hide from pages. */
export interface Connectivity {
  readonly isOnline: boolean
  /** True if the page was loaded over https, so that the browser blocks requests over http. */
  readonly isSecure: boolean
}

/** Reports whether the page itself aborted the read, which does not count as a failure. */
export function isAborted(error: unknown): boolean {
  return isWorldError(error) && error.code === 'aborted'
}

/** Converts any thrown value to a failure. `isDocument` is true if the discovery document was being read. */
export function failureFrom(error: unknown, connectivity?: Connectivity, isDocument = false): Failure {
  if (!isWorldError(error)) {
    const message = error instanceof Error ? error.message : String(error)
    return { ...NOTHING, cause: 'ownFault', code: 'unexpected', message }
  }
  const { code, message, status, url, requestId, retryAfter, details } = error
  const known = connectivity ?? { isOnline: navigator.onLine, isSecure: location.protocol === 'https:' }
  // If the client does not recognise the list or its end, it reports the names of the members that it found.
  const isUnrecognised = code === 'invalid_response' && Array.isArray(details['members'])
  const cause = isUnrecognised ? 'unrecognised' : causeOf(code, status, url, known, isDocument)
  return { cause, code, message, status, url, requestId, wait: retryAfter, details }
}

const NOTHING = { status: 0, url: '', requestId: undefined, wait: undefined, details: {} }

function causeOf(code: string, status: number, url: string, connectivity: Connectivity, isDocument: boolean) {
  if (code === 'network_error') {
    if (!connectivity.isOnline) return 'offline'
    const isMixed = connectivity.isSecure && /^http:(?!\/\/(localhost|127\.|\[::1\]))/.test(url)
    return isMixed ? 'mixedContent' : 'unreachable'
  }
  // No token is ever sent for the discovery document, which is public, so a token would not help.
  if (isDocument && status === 401) return 'forbidden'
  // The server responds, but not with a discovery document.
  if (isDocument && status === 404) return 'notAWorld'
  if (code === 'invalid_argument') return isDocument ? 'badOrigin' : 'refused'
  const known = Object.hasOwn(BY_CODE, code)
    ? BY_CODE[code as keyof typeof BY_CODE]
    : BY_STATUS[status as keyof typeof BY_STATUS]
  if (known !== undefined) return known
  return status >= 500 ? 'serverFault' : 'refused'
}
