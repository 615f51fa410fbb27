/** The limits of one process. Their code is loaded only where the settings ask for them. */
import type { Socket } from 'node:net'
import { trustOf } from '@worldwright/server'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'
import type { RateLimit } from './rate-limit.ts'

/** The count of requests in this process; undefined if they are not limited. */
export async function rateLimitFor({ rateLimit }: Settings): Promise<RateLimit | undefined> {
  if (rateLimit === undefined) return undefined
  const { RateLimit } = await import('./rate-limit.ts')
  return new RateLimit(rateLimit)
}

/** Decides about new connections of this process, and reports those it refuses; nothing where they are not limited. */
export async function connectionLimitFor(
  { connectionsPerAddress, trustedProxies }: Settings,
  log: Pick<Log, 'fail'>,
): Promise<{ admitConnection?: (connection: Socket) => boolean }> {
  if (connectionsPerAddress === undefined) return {}
  const { ConnectionLimit } = await import('./connection-limit.ts')
  const limit = new ConnectionLimit(connectionsPerAddress, trustOf(trustedProxies))
  return {
    admitConnection(connection) {
      const isAdmitted = limit.admit(connection)
      if (!isAdmitted) {
        const text = `A connection of ${connection.remoteAddress} was refused, as it has ${connectionsPerAddress} open.`
        log.fail({ event: 'connection_refused', text, error: '', count: 1 })
      }
      return isAdmitted
    },
  }
}
