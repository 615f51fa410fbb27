/** Worlds that asked to wait (`Retry-After` with 429 or 503): the client waits silently, the page shows it. */
import { signal } from '@preact/signals'
import type { Fetch } from '@worldwright/client'

/** End of the wait, in milliseconds since 1970, by the host that asked for it. */
export const waits = signal<ReadonlyMap<string, number>>(new Map())

/** Returns a `fetch` that records the wait that the world at `host` asks for, until it answers otherwise. */
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

/** Returns the seconds in `Retry-After`, seconds or a date; 0 if there is none, or nothing to wait for. */
function secondsToWait({ status, headers }: Response): number {
  const said = headers.get('retry-after') ?? ''
  if (status !== 429 && status !== 503) return 0
  return /^\d+$/.test(said) ? Number(said) : Math.max(0, (Date.parse(said) - Date.now()) / 1000) || 0
}
