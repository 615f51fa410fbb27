import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { World } from '@worldwright/client'
import type { AgentWorld } from '@worldwright/mcp'
import { connectTo, originFrom, type ReadingOptions, tokenFrom } from '@worldwright/serve/open'
import { count, type Io, say, UsageFault, visible } from '@worldwright/serve/terminal'
import { proxiedFetch } from '../explore/proxied-fetch.ts'

/** Time that the first world has to answer before agents are served without it, in milliseconds. */
const START_MS = 3_000

/** Command-line flags of `world mcp`. */
export type McpOptions = Omit<ReadingOptions, 'json'>

/**
 * Serves the worlds until the agent closes the standard input. A world that cannot be reached is tried again with each call;
 * fails immediately if all are known to be. @throws UsageFault for a token with several worlds, as it belongs to one
 */
export async function mcp(origins: readonly string[], options: McpOptions, io: Io): Promise<number> {
  const hasToken = tokenFrom(options, io).token !== undefined
  const names = namesOf(origins.map(originFrom))
  if (hasToken && names.length > 1)
    throw new UsageFault('A token belongs to one world: run mcp once for each world that needs a token.')
  const ended = new AbortController()
  const own = { ...io, signal: AbortSignal.any([io.signal, ended.signal]) }
  const worlds = origins.map((origin, at) => agentWorld(origin, names[at] ?? origin, hasToken, options, own))
  const opened = worlds.map(({ open }) => open())
  const first = Promise.any(opened).catch(({ errors }: AggregateError) => Promise.reject(errors[0]))
  await Promise.race([first, setTimeout(START_MS, undefined, { ref: false })])
  const report = (error: Error) => own.signal.aborted || say(io, visible(`${error.message ?? error}`))
  for (const one of opened) one.catch(report)
  say(io, `Serving ${count(worlds.length, 'world')} to an agent: ${visible(names.join(', '))}.`)
  const { serveAgents } = await import('@worldwright/mcp')
  const stdin = io.stdin instanceof Readable ? io.stdin : Readable.from(io.stdin)
  const stdout = io.stdout as unknown as NodeJS.WriteStream
  await serveAgents(worlds, { stdin, stdout, signal: io.signal }, ({ message }) => say(io, visible(message)))
  // A world that still has not answered would keep the process alive.
  ended.abort()
  return 0
}

/** Returns a world that connects on first use, and then stays connected. Addresses that it names are guarded. */
function agentWorld(
  origin: string,
  name: string,
  hasToken: boolean,
  options: McpOptions,
  io: Io,
): AgentWorld {
  let connected: Promise<World> | undefined
  const opened = async () => connectTo(origin, options, { ...io, fetch: await proxiedFetch(origin, io) })
  return {
    name,
    hasToken,
    open() {
      connected ??= opened().catch((error) => {
        connected = undefined
        throw error
      })
      return connected
    },
  }
}

/** Returns the hosts of origins, or the origins if two have the same host. @throws UsageFault for an invalid origin */
function namesOf(origins: readonly string[]): string[] {
  const hosts = origins.map((origin) => URL.parse(origin)?.host ?? origin)
  return new Set(hosts).size === hosts.length ? hosts : [...origins]
}
