/** Classifies failed reads for the user of the page. */
import { isWorldError } from '@worldwright/client'

/** Causes that have their own texts. */
export type Cause = ReturnType<typeof causeOf> | 'unrecognised' | 'ownFault'

/** A failure as the page shows it. */
export interface Failure {
  readonly cause: Cause
  /** As the world or the client reported it. */
  readonly code: string
  readonly message: string
  readonly status: number
  readonly url: string
  readonly requestId: string | undefined
  /** Seconds to wait before asking again. */
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

/** State of the browser if no answer came; it does not tell a page the reason. */
export interface Connectivity {
  readonly isOnline: boolean
  /** True if the page came over https, and may not read from http. */
  readonly isSecure: boolean
}

/** Reports whether the page itself stopped waiting, which is no failure. */
export function isAborted(error: unknown): boolean {
  return isWorldError(error) && error.code === 'aborted'
}

/** Returns the failure for anything thrown. `isDocument`: it came from reading the discovery document. */
export function failureFrom(error: unknown, connectivity?: Connectivity, isDocument = false): Failure {
  if (!isWorldError(error)) {
    const message = error instanceof Error ? error.message : String(error)
    return { ...NOTHING, cause: 'ownFault', code: 'unexpected', message }
  }
  const { code, message, status, url, requestId, retryAfter, details } = error
  const known = connectivity ?? { isOnline: navigator.onLine, isSecure: location.protocol === 'https:' }
  // The client reports the members it saw if a list, or its end, has a name it does not know.
  const isUnrecognised = code === 'invalid_response' && Array.isArray(details['members'])
  const cause = isUnrecognised ? 'unrecognised' : causeOf(code, status, url, known, isDocument)
  return { cause, code, message, status, url, requestId, wait: retryAfter, details }
}

const NOTHING = { status: 0, url: '', requestId: undefined, wait: undefined, details: {} }

function causeOf(code: string, status: number, url: string, connectivity: Connectivity, isDocument: boolean) {
  if (code === 'network_error') {
    if (!connectivity.isOnline) return 'offline'
    return connectivity.isSecure &&
      url.startsWith('http:') &&
      !/^http:\/\/(localhost|127\.|\[::1\])/.test(url)
      ? 'mixedContent'
      : 'unreachable'
  }
  // A document is open to everybody, and no token is ever sent for it.
  if (isDocument && status === 401) return 'forbidden'
  // Something answers there, but nothing at the fixed path of a world.
  if (isDocument && status === 404) return 'notAWorld'
  if (code === 'invalid_argument') return isDocument ? 'badOrigin' : 'refused'
  const known = Object.hasOwn(BY_CODE, code)
    ? BY_CODE[code as keyof typeof BY_CODE]
    : BY_STATUS[status as keyof typeof BY_STATUS]
  if (known !== undefined) return known
  return status >= 500 ? 'serverFault' : 'refused'
}
