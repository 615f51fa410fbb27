/** Extension `worldwright:loading`: refuses reads of what the sources have not filled yet, and shows the progress of the load. */
import {
  createRequestIds,
  type Extension,
  errorResponse,
  idOf,
  preferredType,
  splitTarget,
  unavailable,
  WorldFault,
  type WorldResponse,
} from '@worldwright/core'
import { OPERATOR_PATH } from '@worldwright/extensions/operator'
import type { ImportProgress, LoadedSources, WorldDefinition } from '@worldwright/publish'
import { count } from '../terminal/output.ts'

/** A load of sources while the world is served. */
export interface Loading {
  /** Types that sources name and the store lacks. Undefined during a first load, when only those in `filled` are complete. */
  missing?: readonly string[]
  filled?: readonly string[]
  progress?: ImportProgress
}

const RETRY_AFTER_SECONDS = 2
const LOADING = 'loading'
const HTML = 'text/html'

/** Returns the state of a load to come, or undefined if the store has an earlier load of all types that sources name. */
export function loadingOf(
  { sources }: WorldDefinition,
  before: LoadedSources | undefined,
): Loading | undefined {
  const known = before?.versions ?? {}
  if (before?.isPartial) return { filled: Object.keys(known) }
  const missing = sources.flatMap(({ type = [] }) => type).filter((type) => !Object.hasOwn(known, type))
  if (before === undefined && sources.length > 0) return {}
  return missing.length > 0 ? { missing } : undefined
}

/** Describes a load and its progress. */
export function loadingText({ progress }: Loading): string {
  if (progress === undefined) return 'The sources are being loaded.'
  const { records, bytes, totalBytes, phase } = progress
  const part = totalBytes ? `, ${Math.floor((100 * bytes) / totalBytes)} %` : ''
  const placing = phase === 'placing' ? '; putting them in place' : ''
  return `The sources are being loaded: ${count(records, 'record')} read${part}${placing}.`
}

/** Reports whether an error is the refusal of a request by `stillLoading`, which is no failure. */
export function isStillLoading(error: unknown): boolean {
  return error instanceof WorldFault && error.details['reason'] === LOADING
}

/**
 * Responds with 503 `unavailable` to requests that read missing types or may read any type, and to all of the operator API.
 * Discovery stays open. Browsers get a page that reloads itself.
 */
export function stillLoading(loading: Loading): Extension {
  const requestId = createRequestIds()
  const refusal = () =>
    unavailable(`${loadingText(loading)} Try again later.`, RETRY_AFTER_SECONDS, {
      details: { reason: LOADING },
    })
  return () => ({
    name: 'worldwright:loading',
    async admit(_request, reads) {
      const types = await reads()
      const { missing, filled } = loading
      const isThere = (type: string) => (missing ? !missing.includes(type) : filled?.includes(type) === true)
      if (!types?.every(isThere)) throw refusal()
    },
    around: (handle) => async (request) => {
      const { method, headers, target } = request
      const { path } = splitTarget(target)
      // The operator API checks its callers itself.
      const isClosed = path.startsWith(`${OPERATOR_PATH}/`) && method !== 'OPTIONS'
      const { body, ...head } = isClosed
        ? errorResponse(refusal(), idOf(request) ?? requestId())
        : await handle(request)
      const isLacking = head.status === 503 || path === '/'
      const isForPeople = preferredType(headers['accept'], ['application/json', HTML]) === HTML
      if (method === 'GET' && isLacking && isForPeople) return page(loadingText(loading))
      return body === undefined || (isClosed && method === 'HEAD') ? head : { ...head, body }
    },
  })
}

function page(text: string): WorldResponse {
  const headers = {
    'content-type': `${HTML}; charset=utf-8`,
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'retry-after': `${RETRY_AFTER_SECONDS}`,
    vary: 'Accept',
  }
  const body = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RETRY_AFTER_SECONDS}"><title>Loading</title>
<h1>Loading</h1><p role="status">${text} This page reloads itself.</p></html>
`
  return { status: 503, headers, body }
}
