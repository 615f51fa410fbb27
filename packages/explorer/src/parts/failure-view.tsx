/** A failure: its cause, the message, and the ways out. */
import { useEffect } from 'preact/hooks'
import { count, words } from '../words/words.ts'
import type { Cause, Failure } from '../world/failure.ts'
import { FactList } from './fact-list.tsx'
import { To } from './link.tsx'
import { TokenForm } from './token-form.tsx'
import type { Remote } from './use-remote.ts'
import { useSeconds } from './waiting.tsx'
import { useOpenWorld } from './world-context.ts'

/** Causes that another token, or none, may fix. */
const ASKS_FOR_TOKEN: ReadonlySet<Cause> = new Set(['needsToken', 'insecure'])

/** Causes that may end when the browser is online again: the page then retries by itself. */
const MAY_END_WITH_NETWORK: ReadonlySet<Cause> = new Set(['offline', 'unreachable'])

/** The failure of a part of a page of the open world; nothing while there is none. */
export function PartFailure({ of: { failure, retry } }: { of: Pick<Remote<unknown>, 'failure' | 'retry'> }) {
  const { origin } = useOpenWorld().world
  if (failure === undefined) return null
  return <FailureView failure={failure} origin={origin} onRetry={retry} level="part" />
}

/** Shows a failure in place of the content. `origin` is the world it happened in, if any. */
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
    // The network, and its event, may have come back before this was shown.
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

/** The button to retry. While the world asks to wait, it counts down instead of retrying too early. */
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
  // The client's messages begin with the address, and the fault is shown above in the user's language.
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
