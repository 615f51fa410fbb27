/** Something is on its way: nothing at first, then a quiet sign, then for how long and a way out. */
import { useEffect, useState } from 'preact/hooks'
import { count, words } from '../words/words.ts'
import { waits } from '../world/retry-after.ts'
import { ShortText } from './text.tsx'

/** Seconds after which waiting is worth words. */
const SLOW_SECONDS = 3

/** Shown while a read is under way. `host` is the world that has not answered; `heading` stands for that of the page to come. */
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

/** The seconds that the world at `host` asked to wait, counted down; nothing where it did not. */
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

/** Seconds since the view was drawn first; it is drawn again with each. */
export function useSeconds(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}
