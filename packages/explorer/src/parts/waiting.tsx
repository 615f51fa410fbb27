/** A read in progress: nothing at first, then a quiet sign, then the elapsed time and a way out. */
import { useEffect, useState } from 'preact/hooks'
import { count, words } from '../words/words.ts'
import { waits } from '../world/retry-after.ts'
import { ShortText } from './text.tsx'

/** Seconds after which waiting is explained in words. */
const SLOW_SECONDS = 3

/** Shown during a read. `host` is the world that has not answered; `heading` replaces that of the coming page. */
export function Waiting({ host, heading, onStop }: { host: string; heading?: string; onStop?: () => void }) {
  const seconds = useSeconds()
  const { app } = words.value

  return (
    <div class="waiting">
      {heading !== undefined && (
        <h1>
          <ShortText text={heading} most={120} />
        </h1>
      )}
      <div class="bones" aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
      <p role="status">{seconds < SLOW_SECONDS ? app.loading : app.slow(host, count(seconds))}</p>
      <WaitNotice host={host} />
      {onStop !== undefined && seconds >= SLOW_SECONDS && (
        <button type="button" class="button" onClick={onStop}>
          {app.stop}
        </button>
      )}
    </div>
  )
}

/** A countdown of the seconds that the world at `host` asked to wait; nothing if it did not. */
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

/** Returns the seconds since the view was first rendered; it is rendered again each second. */
export function useSeconds(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}
