/** View of a failure, with its cause, its message and what the user can do about it. */
import { useEffect } from 'preact/hooks'
import { count, words } from '../words/words.ts'
import type { Cause, Failure } from '../world/failure.ts'
import { FactList } from './fact-list.tsx'
import { To } from './link.tsx'
import { TokenForm } from './token-form.tsx'
import type { Remote } from './use-remote.ts'
import { useSeconds } from './waiting.tsx'
import { useOpenWorld } from './world-context.ts'

/** Causes that may be fixed by entering a different token or by removing the token. */
const ASKS_FOR_TOKEN: ReadonlySet<Cause> = new Set(['needsToken', 'insecure'])

/** Causes that may end when the browser is online again. The page then retries automatically. */
const MAY_END_WITH_NETWORK: ReadonlySet<Cause> = new Set(['offline', 'unreachable'])

/** Failure of one part of a page. Renders nothing if there is no failure. */
export function PartFailure({ of: { failure, retry } }: { of: Pick<Remote<unknown>, 'failure' | 'retry'> }) {
  const { origin } = useOpenWorld().world
  if (failure === undefined) return null
  return <FailureView failure={failure} origin={origin} onRetry={retry} level="part" />
}

/** Failure shown in place of the content. `origin` is the world in which the failure occurred, if there is one. */
export function FailureView(props: {
  failure: Failure
  origin?: string | undefined
  onRetry: () => void
  level?: 'page' | 'part'
}) {
  const { failure, origin, onRetry, level = 'page' } = props
  const { failures, app } = words.value
  const { title, text, wayOut } = failures[failure.cause]
  useEffect(() => {
    if (!MAY_END_WITH_NETWORK.has(failure.cause)) return
    // The browser may already have been online again, and fired the event, before this was rendered.
    if (failure.cause === 'offline' && navigator.onLine) onRetry()
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [failure])

  const Heading = level === 'page' ? 'h1' : 'h2'
  return (
    <section class={`failure ${level}`} role="alert">
      <Heading tabIndex={-1} class="arrival">
        {title}
      </Heading>
      <p>{text}</p>
      <p>{wayOut}</p>
      {origin !== undefined && ASKS_FOR_TOKEN.has(failure.cause) && <TokenForm origin={origin} />}
      <div class="row">
        <RetryButton wait={failure.wait} onRetry={onRetry} />
        {level === 'page' && origin !== undefined && (
          <To route={{ page: 'home', origin }} class="button">
            {app.toWorld}
          </To>
        )}
        {level === 'page' && (
          <To route={{ page: 'open' }} class="button">
            {app.openOther}
          </To>
        )}
      </div>
      <Facts failure={failure} />
    </section>
  )
}

/** Retry button. It is disabled and counts down until the wait that the world requested is over. */
function RetryButton({ wait, onRetry }: { wait: number | undefined; onRetry: () => void }) {
  const left = Math.max(0, Math.ceil(wait ?? 0) - useSeconds())
  const { app } = words.value
  return (
    <button type="button" class="button primary" disabled={left > 0} onClick={onRetry}>
      {left > 0 ? app.retryIn(count(left)) : app.retry}
    </button>
  )
}

function Facts({ failure }: { failure: Failure }) {
  const { failureFacts: facts } = words.value
  const { code, details, message, requestId, status, url } = failure
  // Omit messages of the client, which begin with the URL. The cause is shown above in the user's language.
  const said = message === code || message.startsWith(`${url}: `) ? '' : message
  const rows: [string, string][] = [
    [facts.said, said],
    [facts.code, code],
    [facts.status, status === 0 ? '' : String(status)],
    [facts.url, url],
    [facts.requestId, requestId ?? ''],
    [facts.details, Object.keys(details).length === 0 ? '' : JSON.stringify(details)],
  ]
  return <FactList class="facts" facts={rows.filter(([, value]) => value !== '')} />
}
