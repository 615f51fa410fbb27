/** Hosts whose pictures the user has allowed. They are remembered until the tab is closed. */
import { signal } from '@preact/signals'
import { attempt, jsonFrom } from '../text/attempt.ts'

const NAME = 'worldwright.pictures'

/** Hosts from which pictures may be loaded without asking the user again. */
export const allowedHosts = signal<ReadonlySet<string>>(new Set(stored()))

/** Allows pictures from a host until the tab is closed, or only until a reload if the browser cannot store the host. */
export function allowPictures(host: string): void {
  allowedHosts.value = new Set([...allowedHosts.value, host])
  attempt(() => sessionStorage.setItem(NAME, JSON.stringify([...allowedHosts.value])))
}

function stored(): string[] {
  const hosts = jsonFrom(attempt(() => sessionStorage.getItem(NAME)))
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : []
}
