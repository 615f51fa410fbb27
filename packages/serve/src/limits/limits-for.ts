/** The limits of one process: those that are set, and the defaults of worlds that others reach. */
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

/** Defaults where others reach the world, each beyond what an honest client, or an office behind one address, needs. */
const DEFAULTS = {
  /** A program that asks for 25 pages at a time, over a line of 25 ms, makes as many; nearer ones have private addresses. */
  rateLimit: 60_000,
  /** A browser has 6: an office of 80. Of 20,000 that a process takes, 40 addresses have to hold all. */
  connectionsPerAddress: 512,
  /** An office of a hundred that all look at the explorer. Of 2,000 that a process has, 16 addresses have to hold all. */
  streamsPerAddress: 128,
} as const

type LimitName = keyof typeof DEFAULTS

/** A limit of each address but those that are exempt. */
interface AddressLimit {
  readonly limit: number
  readonly isExempt: (address: string) => boolean
}

/** Limit of each address. A setting holds for every address; a default spares private ones, behind which many clients may stand. */
function addressLimit(settings: Settings, name: LimitName): AddressLimit | undefined {
  const { host, publicUrl, trustedProxies, [name]: set } = settings
  if (set === 0) return undefined
  if (set !== undefined) return { limit: set, isExempt: () => false }
  const isReached = !isLoopback(host) || (publicUrl !== undefined && trustedProxies.length > 0)
  return isReached ? { limit: DEFAULTS[name], isExempt: isPrivateAddress } : undefined
}

/** The count of requests in this process; undefined if they are not limited. */
export function rateLimitFor(settings: Settings): RateLimit | undefined {
  const of = addressLimit(settings, 'rateLimit')
  return of && new RateLimit(of.limit, of.isExempt)
}

/** Counts the event streams of this process; nothing if they are not limited. */
export function streamLimitsFor(settings: Settings): StreamLimits {
  const { maxStreams } = settings
  const of = addressLimit(settings, 'streamsPerAddress')
  const open = of && new OpenPerAddress(of.limit, of.isExempt)
  return {
    ...(maxStreams !== undefined && { maxStreams }),
    ...(open && { enterStream: ({ client }: WorldRequest) => open.enter(client?.address ?? '') }),
  }
}

/** Decides about new connections of this process, and reports those it refuses; nothing where they are not limited. */
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

/** Lines that tell an operator of the limits; empty if nobody else reaches the world and none are set. */
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
