/** Serves worlds to one agent over the standard streams. */
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { AgentWorld } from './agent-world.ts'
import { createServer } from './server.ts'

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
  const ended = Promise.withResolvers<void>()
  const served = serveStdio(() => createServer(worlds), { transport, ...(onFault && { onerror: onFault }) })
  stdin.once('end', ended.resolve).once('close', ended.resolve)
  if (!signal.aborted) await Promise.race([ended.promise, once(signal, 'abort')])
  await served.close()
}
