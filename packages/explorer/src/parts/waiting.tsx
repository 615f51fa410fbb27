/** Indicator of a read in progress: first a placeholder, and later also the elapsed time and a stop button. */
import { useEffect, useState } from 'preact/hooks'
import { count, words } from '../words/words.ts'
import { waits } from '../world/retry-after.ts'
import { ShortText } from './text.tsx'
import type { Remote } from './use-remote.ts'

/** Number of seconds after which the elapsed time is shown. */
const SLOW_SECONDS = 3

/**
 * Indicator of a read that is in progress or was stopped by the user. `host` is the host of the world. `heading` is shown
 * until the page arrives. Without `read`, there is no stop button.
 */
export function Waiting(props: {
  host: string
  heading?: string
  read?: Pick<Remote<unknown>, 'isBusy' | 'stop' | 'retry'>
}) {
  const { host, heading, read } = props
  const isStopped = read?.isBusy === false
  const seconds = useSeconds([isStopped])
  const { app } = words.value
  return (
    <div class="waiting">
      {heading !== undefined && (
        <h1>
          <ShortText text={heading} most={120} />
        </h1>
      )}
      {!isStopped && (
        <div class="bones" aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      )}
      <p role="status">
        {isStopped ? app.stopped : seconds < SLOW_SECONDS ? app.loading : app.slow(host, count(seconds))}
      </p>
      <WaitNotice host={host} />
      {read !== undefined && (isStopped || seconds >= SLOW_SECONDS) && (
        <button type="button" class="button" onClick={isStopped ? read.retry : read.stop}>
          {isStopped ? app.retry : app.stop}
        </button>
      )}
    </div>
  )
}

/** Countdown of the wait that the world at `host` requested. Renders no text if it requested no wait. */
export function WaitNotice({ host }: { host: string }) {
  const until = waits.value.get(host)
  useSeconds()
  const seconds = until === undefined ? 0 : Math.ceil((until - Date.now()) / 1000)
  return (
    <span role="status" class={seconds > 0 ? 'note' : ''}>
      {seconds > 0 && words.value.app.askingAgainIn(host, count(seconds))}
    </span>
  )
}

/** Returns the seconds since the first render or the last change of `inputs`. Rerenders the component every second. */
export function useSeconds(inputs: readonly unknown[] = []): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, inputs)
  return seconds
}
