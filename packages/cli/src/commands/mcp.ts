/** `world mcp`: offers worlds to an agent, over the Model Context Protocol on the standard streams. */
import { Readable } from 'node:stream'
import type { World } from '@worldwright/client'
import type { AgentWorld } from '@worldwright/mcp'
import { connectTo, originFrom, type ReadingOptions, tokenFrom } from '@worldwright/serve/open'
import { count, type Io, say, UsageFault, visible } from '@worldwright/serve/terminal'
import { proxiedFetch } from '../explore/proxied-fetch.ts'

/** Command-line flags of `world mcp`. */
export type McpOptions = Omit<ReadingOptions, 'json'>

/**
 * Serves the worlds until the agent closes the standard input. A world that cannot be reached is tried again with each call;
 * fails immediately if none can. @throws UsageFault for a token with several worlds, as it belongs to one
 */
export async function mcp(origins: readonly string[], options: McpOptions, io: Io): Promise<number> {
  const hasToken = tokenFrom(options, io).token !== undefined
  const names = namesOf(origins.map(originFrom))
  if (hasToken && names.length > 1)
    throw new UsageFault('A token belongs to one world: run mcp once for each world that needs a token.')
  const worlds = origins.map((origin, at) => agentWorld(origin, names[at] ?? origin, hasToken, options, io))
  const opened = await Promise.allSettled(worlds.map(({ open }) => open()))
  const failed = opened.filter((one) => one.status === 'rejected')
  if (failed.length === worlds.length) throw failed[0]?.reason
  for (const { reason } of failed) say(io, visible(`${reason instanceof Error ? reason.message : reason}`))
  say(io, `Serving ${count(worlds.length, 'world')} to an agent: ${visible(names.join(', '))}.`)
  const { serveAgents } = await import('@worldwright/mcp')
  const stdin = io.stdin instanceof Readable ? io.stdin : Readable.from(io.stdin)
  const stdout = io.stdout as unknown as NodeJS.WriteStream
  await serveAgents(worlds, { stdin, stdout, signal: io.signal }, ({ message }) => say(io, visible(message)))
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
  let connected: World | undefined
  return {
    name,
    hasToken,
    async open() {
      connected ??= await connectTo(origin, options, { ...io, fetch: await proxiedFetch(origin, io) })
      return connected
    },
  }
}

/** Returns the hosts of origins, or the origins if two have the same host. @throws UsageFault for an invalid origin */
function namesOf(origins: readonly string[]): string[] {
  const hosts = origins.map((origin) => URL.parse(origin)?.host ?? origin)
  return new Set(hosts).size === hosts.length ? hosts : [...origins]
}
