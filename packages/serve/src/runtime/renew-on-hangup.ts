import type { Io } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'
import type { Frontend } from './frontend.ts'

/** Installs a listener that renews the workers on each SIGHUP. */
export function renewOnHangup(frontend: Frontend, io: Io): void {
  io.onHangup?.(() => {
    say(io, 'Renewing the workers.')
    frontend.renew().catch((error) => say(io, `A worker could not be replaced, and keeps running. ${error}`))
  })
}
