/** Something is on its way: nothing at first, then a quiet sign, then for how long and a way out. */
import { useEffect, useState } from 'preact/hooks'
import { count, words } from '../words/words.ts'
import { ShortText } from './text.tsx'
import { WaitNotice } from './wait-notice.tsx'

/** Seconds after which waiting is worth words. */
const SLOW_SECONDS = 3

/** Shown while a read is under way. `host` is the world that has not answered; `heading` stands for that of the page to come. */
export function Waiting({ host, heading, onStop }: { host: string; heading?: string; onStop?: () => void }) {
  const [seconds, setSeconds] = useState(0)
  const { app } = words.value

  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])

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
