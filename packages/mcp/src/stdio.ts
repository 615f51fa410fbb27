import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { McpServerFactory } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { AgentWorld } from './agent-world.ts'
import { followEntities } from './resources.ts'
import { createServer } from './server.ts'

/** Streams of an agent, and the signal that ends serving it. */
export interface AgentStreams {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly signal: AbortSignal
}

/** Serves the worlds until the agent closes its stream or the signal is aborted. `failed` hears of faults. */
export async function serveAgents(
  worlds: readonly AgentWorld[],
  { stdin, stdout, signal }: AgentStreams,
  failed: (error: Error) => void,
): Promise<void> {
  const ended = new AbortController()
  const create: McpServerFactory = ({ era }) => {
    const wanted = new Set<string>()
    let isFollowing = false
    const begin = () => {
      if (!isFollowing)
        for (const { open } of worlds) void followEntities(open, { updated, failed }, ended.signal)
      isFollowing = true
    }
    const server = createServer(worlds, 'worldwright', era, { wanted, begin })
    const updated = async (path: string, base: string) => {
      const uri = base + path
      // The transport knows what clients of later generations listen to.
      if (era === 'modern' || wanted.has(uri)) await server.sendResourceUpdated({ uri })
    }
    return server
  }
  const served = serveStdio(create, { transport: new StdioServerTransport(stdin, stdout), onerror: failed })
  for (const event of ['end', 'close']) stdin.once(event, () => ended.abort())
  if (!signal.aborted) await Promise.race([once(signal, 'abort'), once(ended.signal, 'abort')])
  ended.abort()
  await served.close()
}
