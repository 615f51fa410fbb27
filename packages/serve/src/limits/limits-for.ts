/** Limits of one process: those that are set, and the defaults of worlds that others reach. */
import type { Socket } from 'node:net'
import { plainAddress, type WorldRequest } from '@worldwright/core'
import type { StreamLimits } from '@worldwright/extensions/changes'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'
import { trustOf } from './behind-proxies.ts'
import { isLoopback } from './is-loopback.ts'
import { isPrivateAddress } from './limited-address.ts'
import { OpenPerAddress } from './open-per-address.ts'
import { RateLimit } from './rate-limit.ts'

/** Defaults for worlds that others reach, each above the needs of an honest client or of an office behind one address. */
const DEFAULTS = {
  /** Rate of a client that fetches 25 pages at a time over a 25 ms line; nearer clients have private addresses. */
  rateLimit: 60_000,
  /** A browser opens 6: enough for an office of 80. A process accepts 20,000, which 40 addresses could exhaust. */
  connectionsPerAddress: 512,
  /** Enough for an office of a hundred in the explorer. A process has 2,000, which 16 addresses could exhaust. */
  streamsPerAddress: 128,
} as const

type LimitName = keyof typeof DEFAULTS

/** A limit for each address that is not exempt. */
interface AddressLimit {
  readonly limit: number
  readonly isExempt: (address: string) => boolean
}

/** Returns the limit of each address. A setting applies to all; a default exempts private ones, which many may share. */
function addressLimit(settings: Settings, name: LimitName): AddressLimit | undefined {
  const { host, publicUrl, trustedProxies, [name]: set } = settings
  if (set === 0) return undefined
  if (set !== undefined) return { limit: set, isExempt: () => false }
  const isReached = !isLoopback(host) || (publicUrl !== undefined && trustedProxies.length > 0)
  return isReached ? { limit: DEFAULTS[name], isExempt: isPrivateAddress } : undefined
}

/** Returns the request counter of this process; undefined if requests are not limited. */
export function rateLimitFor(settings: Settings): RateLimit | undefined {
  const of = addressLimit(settings, 'rateLimit')
  return of && new RateLimit(of.limit, of.isExempt)
}

/** Returns the event stream limits of this process; empty if there are none. */
export function streamLimitsFor(settings: Settings): StreamLimits {
  const { maxStreams } = settings
  const of = addressLimit(settings, 'streamsPerAddress')
  const open = of && new OpenPerAddress(of.limit, of.isExempt)
  return {
    ...(maxStreams !== undefined && { maxStreams }),
    ...(open && { enterStream: ({ client }: WorldRequest) => open.enter(client?.address ?? '') }),
  }
}

/** Returns the check for new connections, which reports those it refuses; empty if connections are not limited. */
export function connectionLimitFor(
  settings: Settings,
  log: Pick<Log, 'fail'>,
): { admitConnection?: (connection: Socket) => boolean } {
  const of = addressLimit(settings, 'connectionsPerAddress')
  if (of === undefined) return {}
  const isTrusted = trustOf(settings.trustedProxies)
  const open = new OpenPerAddress(of.limit, (address) => of.isExempt(address) || isTrusted(address))
  return {
    admitConnection(connection) {
      const leave = open.enter(plainAddress(connection.remoteAddress ?? ''))
      if (leave) {
        connection.once('close', leave)
        return true
      }
      const text = `A connection of ${connection.remoteAddress} was refused, as it has ${of.limit} open.`
      log.fail({ event: 'connection_refused', text, error: '', count: 1 })
      return false
    },
  }
}

/** Returns the lines that tell an operator the limits; empty if only this machine reaches the world and none are set. */
export function limitLines(settings: Settings): string[] {
  const { publicUrl, trustedProxies } = settings
  const named = {
    rateLimit: 'requests a minute',
    connectionsPerAddress: 'connections to each worker',
    streamsPerAddress: 'event streams of each worker',
  }
  const limits = (Object.keys(named) as LimitName[]).flatMap((name) => {
    const of = addressLimit(settings, name)
    return of ? [{ text: `${of.limit.toLocaleString('en')} ${named[name]}`, ...of }] : []
  })
  const sparesPrivate = limits.some(({ isExempt }) => isExempt === isPrivateAddress)
  return [
    ...(limits.length > 0 ? [`Limits of each address: ${limits.map(({ text }) => text).join(', ')}.`] : []),
    ...(sparesPrivate ? ['Limits that are defaults do not count for loopback and private addresses.'] : []),
    ...((sparesPrivate || publicUrl !== undefined) && trustedProxies.length === 0
      ? [
          'Behind a proxy, set --trusted-proxies: without it the clients of a proxy have no limits of their own.',
        ]
      : []),
  ]
}
