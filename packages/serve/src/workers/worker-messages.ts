/** What a primary and its workers say to each other besides calls. */

/** A worker has prepared itself, and waits for the socket to accept connections from. */
export const READY = { ready: true }
/** The message that comes with the socket; it comes `ACCEPTS` times, each time with a handle of its own. */
export const ACCEPT = { accept: true }
/** A worker accepts connections; with it comes the socket again, which the primary keeps. */
export const ACCEPTING = { accepting: true }
/** A worker asks to be replaced. */
export const LEAVING = { leaving: true }
/** Asks a worker for a sign of life; it answers with the same. */
export const HEARTBEAT = { heartbeat: true }

/** The message that asks a worker to finish its requests and end. */
export interface Finish {
  readonly finish: {
    /** How long it waits for connections that say nothing, in milliseconds. */
    readonly drainMs: number
  }
}

/** Where others go on serving: a client may just be sending on a connection that says nothing. */
export const RENEWED: Finish['finish'] = { drainMs: 2_000 }

/** Where nobody goes on serving: long enough for the next request of a client that is busy, whose answer says the end. */
export const ENDED: Finish['finish'] = { drainMs: 250 }

/** Whether a message says that a worker has prepared itself. */
export function isReady(message: unknown): boolean {
  return has(message, 'ready')
}

/** Whether a message of the primary comes with the socket. */
export function isAccept(message: unknown): boolean {
  return has(message, 'accept')
}

/** Whether a message says that a worker accepts connections. */
export function isAccepting(message: unknown): boolean {
  return has(message, 'accepting')
}

/** Whether a message says that a worker asks to be replaced. */
export function isLeaving(message: unknown): boolean {
  return has(message, 'leaving')
}

/** Whether a message of the primary asks its worker to finish. */
export function isFinish(message: unknown): message is Finish {
  return has(message, 'finish')
}

/** Whether a message asks for a sign of life, or is one. */
export function isHeartbeat(message: unknown): boolean {
  return has(message, 'heartbeat')
}

function has(message: unknown, member: string): boolean {
  return typeof message === 'object' && message !== null && member in message
}
