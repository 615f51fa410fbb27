/** Being a worker of a pool: answering the connections the primary hands over, finishing in order, not outliving it. */
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
 * Serves a handler as a worker of a pool. Resolves when it shall end and has finished its requests: told to by the
 * primary, or because that is gone. Open connections are told so with the next answer, so that no request is lost.
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
      // One that was closed meanwhile comes without its handle.
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
