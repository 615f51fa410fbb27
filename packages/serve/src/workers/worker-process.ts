/** The worker's side of a pool: accepts connections from the socket of the primary, and ends with it. */
import { createServer, type Server, type Socket } from 'node:net'
import { answerConnections, type RequestHandler } from '@worldwright/node'
import { limitConnections } from '../overload/limit-connections.ts'
import { accept, type ListeningSocket, sendSocket } from './listening-socket.ts'
import {
  ACCEPTING,
  HEARTBEAT,
  isAccept,
  isFinish,
  isHeartbeat,
  LEAVING,
  READY,
  RENEWED,
} from './worker-messages.ts'

/** Options of a worker of a pool. */
export interface WorkerOptions {
  /** Address that the pool listens at, as an origin. */
  readonly origin: string
  /** Aborted when this worker should end: it asks to be replaced first. */
  readonly signal?: AbortSignal
  /** As `ListenOptions.admitConnection`. */
  readonly admitConnection?: (connection: Socket) => boolean
}

/**
 * Serves a handler as a worker of a pool, until the primary asks it to end or is gone. Resolves when all requests are
 * finished. Open connections are closed with their next answer, so that no request is lost.
 */
export async function serveAsWorker(
  handler: RequestHandler,
  { origin, signal, admitConnection }: WorkerOptions,
): Promise<void> {
  const connections = answerConnections(handler, {
    origin,
    limits: limitConnections(),
    ...(admitConnection && { admitConnection }),
  })
  const acceptors: Server[] = []
  const take = (socket: ListeningSocket) => {
    const acceptor = createServer({ pauseOnConnect: true, noDelay: true }, connections.take)
    acceptors.push(acceptor)
    accept(acceptor, socket)
    if (acceptors.length === 1) sendSocket(process, ACCEPTING, socket)
  }
  const ended = new Promise<{ drainMs: number }>((resolve) => {
    process.on('message', (message, handle: unknown) => {
      if (isFinish(message)) resolve(message.finish)
      else if (isHeartbeat(message)) process.send?.(HEARTBEAT)
      else if (isAccept(message) && handle) take(handle as ListeningSocket)
    })
    process.on('disconnect', () => resolve(RENEWED))
  })
  const leave = () => process.send?.(LEAVING)
  process.send?.(READY)
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })
  const finish = await ended
  // Connections that were not accepted yet are left to the other workers.
  for (const acceptor of acceptors) acceptor.close()
  await connections.close(finish)
}
