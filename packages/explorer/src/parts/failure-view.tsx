/** A failure: its cause, what was said, and the ways out. */
import { useEffect, useState } from 'preact/hooks'
import { count, words } from '../words/words.ts'
import type { Failure } from '../world/failure.ts'
import { To } from './link.tsx'
import { Text } from './text.tsx'

/** Shows a failure where the content would be. `origin` is the world it happened in, if any. */
export function FailureView(props: {
  failure: Failure
  origin?: string | undefined
  onRetry: () => void
  level?: 'page' | 'part'
}) {
  const { failure, origin, onRetry, level = 'page' } = props
  const { failures, app } = words.value
  const { title, text, wayOut } = failures[failure.cause]
  const Heading = level === 'page' ? 'h1' : 'h2'
  return (
    <section class={`failure ${level}`} role="alert">
      <Heading tabIndex={-1} class="arrival">
        {title}
      </Heading>
      <p>{text}</p>
      <p>{wayOut}</p>
      <div class="row">
        <RetryButton wait={failure.wait} onRetry={onRetry} />
        {level === 'page' && origin !== undefined && (
          <To route={{ page: 'home', origin }} class="button">
            {app.toWorld}
          </To>
        )}
        {level === 'page' && (
          <To route={{ page: 'open' }} class="button">
            {app.toStart}
          </To>
        )}
      </div>
      <Facts failure={failure} />
    </section>
  )
}

/** While the world asks to wait, the button counts down instead of asking too early. */
function RetryButton({ wait, onRetry }: { wait: number | undefined; onRetry: () => void }) {
  const [left, setLeft] = useState(Math.ceil(wait ?? 0))
  const { app } = words.value

  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])

  return (
    <button type="button" class="button primary" disabled={left > 0} onClick={onRetry}>
      {left > 0 ? app.retryIn(count(left)) : app.retry}
    </button>
  )
}

function Facts({ failure }: { failure: Failure }) {
  const { failureFacts: facts } = words.value
  const rows: [string, string | undefined][] = [
    [facts.said, failure.message === failure.code ? undefined : failure.message],
    [facts.code, failure.code],
    [facts.status, failure.status === 0 ? undefined : String(failure.status)],
    [facts.url, failure.url],
    [facts.requestId, failure.requestId],
    [facts.details, Object.keys(failure.details).length === 0 ? undefined : JSON.stringify(failure.details)],
  ]
  return (
    <dl class="facts">
      {rows
        .filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Text text={value} most={300} />
            </dd>
          </div>
        ))}
    </dl>
  )
}
