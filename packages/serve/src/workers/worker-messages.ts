/** Messages between a primary and its workers, other than calls. */

/** Sent by a worker that is ready to receive the listening socket. */
export const READY = { ready: true }
/** Sent by the primary with the listening socket, `ACCEPTS` times, each time with a separate handle. */
export const ACCEPT = { accept: true }
/** Sent by a worker that accepts connections, with the listening socket, which the primary keeps. */
export const ACCEPTING = { accepting: true }
/** Sent by a worker that asks to be replaced. */
export const LEAVING = { leaving: true }
/** Heartbeat of the primary, which a worker answers with the same message. */
export const HEARTBEAT = { heartbeat: true }

/** Message that asks a worker to finish its requests and exit. */
export interface Finish {
  readonly finish: {
    /** Time to wait for idle connections, in milliseconds. */
    readonly drainMs: number
  }
}

/** Drain option while other processes serve. A client may be about to send on an idle connection. */
export const RENEWED: Finish['finish'] = { drainMs: 2_000 }

/** Drain option if no other process serves. Enough for a busy client's next request, which closes the connection. */
export const ENDED: Finish['finish'] = { drainMs: 250 }

/** Reports whether a worker announces that it is ready. */
export function isReady(message: unknown): boolean {
  return has(message, 'ready')
}

/** Reports whether a message of the primary contains the listening socket. */
export function isAccept(message: unknown): boolean {
  return has(message, 'accept')
}

/** Reports whether a worker announces that it accepts connections. */
export function isAccepting(message: unknown): boolean {
  return has(message, 'accepting')
}

/** Reports whether a worker asks to be replaced. */
export function isLeaving(message: unknown): boolean {
  return has(message, 'leaving')
}

/** Reports whether the primary asks a worker to finish. */
export function isFinish(message: unknown): message is Finish {
  return has(message, 'finish')
}

/** Reports whether a message is a heartbeat or a response to one. */
export function isHeartbeat(message: unknown): boolean {
  return has(message, 'heartbeat')
}

function has(message: unknown, member: string): boolean {
  return typeof message === 'object' && message !== null && member in message
}
