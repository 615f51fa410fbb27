/** What a primary and its workers say to each other besides calls. */

/** The message that comes with a connection. */
export const CONNECTION = { connection: true }
/** A worker can take connections. */
export const READY = { ready: true }
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

/** Whether a message of the primary comes with a connection. */
export function isConnection(message: unknown): boolean {
  return has(message, 'connection')
}

/** Whether a message says that a worker can take connections. */
export function isReady(message: unknown): boolean {
  return has(message, 'ready')
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
