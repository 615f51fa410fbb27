/** Tracks the waits that worlds request by `Retry-After` (with 429 or 503), since the client waits without reporting it. */
import { signal } from '@preact/signals'
import type { Fetch } from '@worldwright/client'

/** End of each wait, in milliseconds since 1970, by the host that requested it. */
export const waits = signal<ReadonlyMap<string, number>>(new Map())

/** Returns a `fetch` that records the wait requested by the world at `host`, and clears it when a response requests none. */
export function patientFetch(host: string, ask: Fetch): Fetch {
  return async (url, init) => {
    const response = await ask(url, init)
    const until = Date.now() + secondsToWait(response) * 1000
    if (until > Date.now()) waits.value = new Map([...waits.value, [host, until]])
    else if (waits.peek().has(host))
      waits.value = new Map([...waits.value].filter(([other]) => other !== host))
    return response
  }
}

/** Returns the wait that `Retry-After` requests as seconds or as a date, in seconds. Returns 0 if there is none. */
function secondsToWait({ status, headers }: Response): number {
  const said = headers.get('retry-after') ?? ''
  if (status !== 429 && status !== 503) return 0
  return /^\d+$/.test(said) ? Number(said) : Math.max(0, (Date.parse(said) - Date.now()) / 1000) || 0
}
