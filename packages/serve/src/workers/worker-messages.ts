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

/** Reports whether a message has a member, by which messages are told apart. */
export function has<Message>(message: unknown, member: keyof Message): message is Message {
  return typeof message === 'object' && message !== null && member in message
}
