/** The hosts whose pictures the user asked to see: remembered until the tab is closed. */
import { signal } from '@preact/signals'
import { attempt, jsonFrom } from '../text/attempt.ts'

const NAME = 'worldwright.pictures'

/** The hosts that pictures may be fetched from without asking again. */
export const allowedHosts = signal<ReadonlySet<string>>(new Set(stored()))

/** Allows the pictures of this host; until the page is left, if the browser stores nothing. */
export function allowPictures(host: string): void {
  allowedHosts.value = new Set([...allowedHosts.value, host])
  attempt(() => sessionStorage.setItem(NAME, JSON.stringify([...allowedHosts.value])))
}

function stored(): string[] {
  const hosts = jsonFrom(attempt(() => sessionStorage.getItem(NAME)))
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : []
}
