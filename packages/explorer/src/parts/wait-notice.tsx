/** Says that a world asked to wait, and for how long. */
import { useEffect, useState } from 'preact/hooks'
import { count, words } from '../words/words.ts'
import { waits } from '../world/retry-after.ts'

/** The seconds that the world at `host` asked to wait, counted down; nothing where it did not. */
export function WaitNotice({ host }: { host: string }) {
  const until = waits.value.get(host)
  const [now, setNow] = useState(() => Date.now())

  useEffect(() => {
    if (until === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [until])

  const seconds = until === undefined ? 0 : Math.ceil((until - now) / 1000)
  return (
    <span role="status" class={seconds > 0 ? 'note' : ''}>
      {seconds > 0 && words.value.app.askingAgainIn(host, count(seconds))}
    </span>
  )
}
