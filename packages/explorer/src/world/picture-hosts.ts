/** The hosts whose pictures the reader asked to see: remembered until the tab is closed. */
import { signal } from '@preact/signals'

const NAME = 'worldwright.pictures'

/** The hosts that pictures may be fetched from without asking again. */
export const allowedHosts = signal<ReadonlySet<string>>(new Set(stored()))

/** From now on pictures of this host are shown. */
export function allowPictures(host: string): void {
  allowedHosts.value = new Set([...allowedHosts.value, host])
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...allowedHosts.value]))
  } catch {
    // They are shown until the page is left.
  }
}

function stored(): string[] {
  try {
    const hosts: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? '[]')
    return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : []
  } catch {
    return []
  }
}
