/** Messages between a primary and its workers, besides calls. */

/** Sent by a worker that is prepared, and waits for the socket to accept connections from. */
export const READY = { ready: true }
/** The message that comes with the socket, `ACCEPTS` times, each time with a handle of its own. */
export const ACCEPT = { accept: true }
/** Sent by a worker that accepts connections, together with the socket, which the primary keeps. */
export const ACCEPTING = { accepting: true }
/** Sent by a worker that asks to be replaced. */
export const LEAVING = { leaving: true }
/** Heartbeat of the primary, which a worker answers with the same message. */
export const HEARTBEAT = { heartbeat: true }

/** The message that asks a worker to finish its requests and end. */
export interface Finish {
  readonly finish: {
    /** Time to wait for idle connections, in milliseconds. */
    readonly drainMs: number
  }
}

/** Drain while others keep serving: a client may just be sending on an idle connection. */
export const RENEWED: Finish['finish'] = { drainMs: 2_000 }

/** Drain if no other process serves: enough for the next request of a busy client, whose answer announces the end. */
export const ENDED: Finish['finish'] = { drainMs: 250 }

/** Reports whether a message says that a worker is prepared. */
export function isReady(message: unknown): boolean {
  return has(message, 'ready')
}

/** Reports whether a message of the primary comes with the socket. */
export function isAccept(message: unknown): boolean {
  return has(message, 'accept')
}

/** Reports whether a message says that a worker accepts connections. */
export function isAccepting(message: unknown): boolean {
  return has(message, 'accepting')
}

/** Reports whether a message says that a worker asks to be replaced. */
export function isLeaving(message: unknown): boolean {
  return has(message, 'leaving')
}

/** Reports whether a message of the primary asks its worker to finish. */
export function isFinish(message: unknown): message is Finish {
  return has(message, 'finish')
}

/** Reports whether a message is a heartbeat, or the answer to one. */
export function isHeartbeat(message: unknown): boolean {
  return has(message, 'heartbeat')
}

function has(message: unknown, member: string): boolean {
  return typeof message === 'object' && message !== null && member in message
}
