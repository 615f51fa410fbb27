/** Worker's side of a pool: accepts connections from the primary's socket, and exits with the primary. */
import { createServer, type Server, type Socket } from 'node:net'
import { answerConnections, type RequestHandler } from '@worldwright/node'
import { limitConnections } from '../overload/limit-connections.ts'
import { accept, type ListeningSocket, sendSocket } from './listening-socket.ts'
import { ACCEPTING, type Finish, HEARTBEAT, has, LEAVING, READY, RENEWED } from './worker-messages.ts'

/** Polling interval for the exit of the primary, in milliseconds. */
const CONNECTED_MS = 1_000

/** Options for a pool's worker process. */
export interface WorkerOptions {
  /** Origin at which the pool listens. */
  readonly origin: string
  /** Aborted when this worker should exit. It asks to be replaced first. */
  readonly signal?: AbortSignal
  /** See `ListenOptions.admitConnection`. */
  readonly admitConnection?: (connection: Socket) => boolean
}

/**
 * Serves a handler as a worker of a pool until the primary asks it to finish or exits. Resolves when all requests are
 * finished. Open connections are closed with their next response, so that no request is lost.
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
  const ended = new Promise<Finish['finish']>((resolve) => {
    process.on('message', (message, handle: unknown) => {
      if (has<Finish>(message, 'finish')) resolve(message.finish)
      else if (has(message, 'heartbeat')) process.send?.(HEARTBEAT)
      else if (has(message, 'accept') && handle) take(handle as ListeningSocket)
    })
    process.on('disconnect', () => resolve(RENEWED))
    // Node.js emits no `disconnect` while a sent socket is unacknowledged.
    setInterval(() => process.connected || resolve(RENEWED), CONNECTED_MS).unref()
  })
  const leave = () => process.send?.(LEAVING)
  process.send?.(READY)
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })
  const finish = await ended
  // Leave connections that are not accepted yet to the other workers.
  for (const acceptor of acceptors) acceptor.close()
  await connections.close(finish)
}
