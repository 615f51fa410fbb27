/** Builds the limits of a process from settings, or from defaults if other machines can reach the world. */
import type { Socket } from 'node:net'
import type { WorldRequest } from '@worldwright/core'
import type { StreamLimits } from '@worldwright/extensions/changes'
import { plainAddress } from '@worldwright/node'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'
import { trustOf } from './behind-proxies.ts'
import { isLoopback } from './is-loopback.ts'
import { isPrivateAddress } from './limited-address.ts'
import { OpenPerAddress } from './open-per-address.ts'
import { RateLimit } from './rate-limit.ts'

/** Defaults for public worlds. Each exceeds the needs of an honest client, and of an office behind one address. */
const DEFAULTS = {
  /** Rate of a client with 25 parallel requests and a 25 ms round trip. Closer clients have private addresses. */
  rateLimit: 60_000,
  /** Enough for an office of 80: each browser opens 6. A process accepts 20,000, so 40 addresses can exhaust it. */
  connectionsPerAddress: 512,
  /** Enough for an office of a hundred explorers. A process accepts 2,000, so 16 addresses can exhaust it. */
  streamsPerAddress: 128,
} as const

type LimitName = keyof typeof DEFAULTS

/** Per-address limit, with a predicate for exempt addresses. */
interface AddressLimit {
  readonly limit: number
  readonly isExempt: (address: string) => boolean
}

/** Returns a per-address limit. A setting applies to all addresses. A default exempts private ones, which may be shared. */
function addressLimit(settings: Settings, name: LimitName): AddressLimit | undefined {
  const { host, publicUrl, trustedProxies, [name]: set } = settings
  if (set === 0) return undefined
  if (set !== undefined) return { limit: set, isExempt: () => false }
  const isReached = !isLoopback(host) || (publicUrl !== undefined && trustedProxies.length > 0)
  return isReached ? { limit: DEFAULTS[name], isExempt: isPrivateAddress } : undefined
}

/** Returns the rate limit of this process, or undefined if requests are not limited. */
export function rateLimitFor(settings: Settings): RateLimit | undefined {
  const of = addressLimit(settings, 'rateLimit')
  return of && new RateLimit(of.limit, of.isExempt)
}

/** Returns the event stream limits of this process. A member is absent if that limit is disabled. */
export function streamLimitsFor(settings: Settings): StreamLimits {
  const { maxStreams } = settings
  const of = addressLimit(settings, 'streamsPerAddress')
  const open = of && new OpenPerAddress(of.limit, of.isExempt)
  return {
    ...(maxStreams !== undefined && { maxStreams }),
    ...(open && { enterStream: ({ client }: WorldRequest) => open.enter(client?.address ?? '') }),
  }
}

/** Returns the option `admitConnection`, which logs each refused connection, or an empty object if there is no limit. */
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

/** Returns lines that list the limits, or an empty array if none is set and only this machine can reach the world. */
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
