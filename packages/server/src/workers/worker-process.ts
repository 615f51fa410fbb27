/** The side of a pool in a worker: answers the connections that the primary hands over, and ends with it. */
import type { Socket } from 'node:net'
import { answerConnections, type RequestHandler } from '../adapters/node.ts'
import { HEARTBEAT, isConnection, isFinish, isHeartbeat, LEAVING, READY, RENEWED } from './worker-messages.ts'

/** Where a worker serves, and what ends it. */
export interface WorkerOptions {
  /** The address the pool listens at, as an origin. */
  readonly origin: string
  /** Aborted when this worker should end: it asks to be replaced first. */
  readonly signal?: AbortSignal
}

/**
 * Serves a handler as a worker of a pool, until the primary asks it to end or is gone. Resolves when all requests are
 * finished. Open connections are closed with their next answer, so that no request is lost.
 */
export async function serveAsWorker(
  handler: RequestHandler,
  { origin, signal }: WorkerOptions,
): Promise<void> {
  const connections = answerConnections(handler, { origin })
  const ended = new Promise<{ drainMs: number }>((resolve) => {
    process.on('message', (message, connection) => {
      if (isFinish(message)) resolve(message.finish)
      else if (isHeartbeat(message)) process.send?.(HEARTBEAT)
      // A connection that was closed meanwhile comes without its handle.
      else if (isConnection(message) && connection) connections.take(connection as Socket)
    })
    process.on('disconnect', () => resolve(RENEWED))
  })
  const leave = () => process.send?.(LEAVING)
  process.send?.(READY)
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })
  await connections.close(await ended)
}
