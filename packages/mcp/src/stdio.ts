/** Serves worlds to one agent over the standard streams. */
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { McpServerFactory } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { AgentWorld } from './agent-world.ts'
import { followEntities, type Subscriptions } from './resources.ts'
import { createServer } from './server.ts'

const IDENTITY = { name: 'worldwright', version: '0.1.0' }

/** Streams of an agent, the signal that ends serving it, and a listener for faults. */
export interface AgentStreams {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly signal: AbortSignal
  readonly onFault?: (error: Error) => void
}

/** Serves the worlds until the agent closes its stream or the signal is aborted. */
export async function serveAgents(worlds: readonly AgentWorld[], streams: AgentStreams): Promise<void> {
  const { stdin, stdout, signal, onFault } = streams
  const transport = new StdioServerTransport(stdin, stdout)
  const ended = new AbortController()
  const create: McpServerFactory = ({ era }) => {
    let isFollowing = false
    const subscriptions: Subscriptions = {
      wanted: new Set(),
      begin() {
        if (!isFollowing) for (const { open } of worlds) void followEntities(open, updated, ended.signal)
        isFollowing = true
      },
    }
    const server = createServer(worlds, IDENTITY, { era, subscriptions })
    const updated = (uri: string) => {
      // The transport knows what clients of later generations listen to.
      if (era === 'modern' || subscriptions.wanted.has(uri)) void server.sendResourceUpdated({ uri })
    }
    return server
  }
  const served = serveStdio(create, { transport, ...(onFault && { onerror: onFault }) })
  for (const event of ['end', 'close']) stdin.once(event, () => ended.abort())
  if (!signal.aborted) await Promise.race([once(signal, 'abort'), once(ended.signal, 'abort')])
  ended.abort()
  await served.close()
}
