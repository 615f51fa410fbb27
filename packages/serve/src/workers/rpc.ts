/** Remote procedure calls between processes. */
import { OVERLOADED_FAULT, StoreFault, type StoreFaultCode } from '@worldwright/core/store'
import { has } from './worker-messages.ts'

/** One end of a channel between processes: `process` in a worker, a `ChildProcess` in the primary. */
export interface Channel {
  /** `sent` receives an error if the message cannot be sent. Without it, the channel would emit `error`. */
  send(message: object, sent: (error: Error | null) => void): unknown
  on(event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown
}

/** Methods that one end provides. Arguments and results are plain data. The last argument is the signal of the call. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>

/** Calls a method of the other end. An aborted call fails with the signal's reason, and the other end is notified. */
export type Caller = (
  method: string,
  args?: readonly unknown[],
  signal?: AbortSignal | undefined,
) => Promise<unknown>

interface Call {
  readonly call: number
  readonly method: string
  readonly args: readonly unknown[]
}

interface Abort {
  /** Number of the call to abort. */
  readonly abort: number
}

interface Reply {
  /** Number of the call that this message answers. */
  readonly reply: number
  readonly result?: unknown
  /** `stack` is set for unexpected errors, to help find the cause. */
  readonly fault?: {
    readonly message: string
    readonly code?: StoreFaultCode
    readonly entity?: StoreFault['entity']
    readonly details?: StoreFault['details']
    readonly stack?: string | undefined
  }
}

/** Serves the calls that arrive on a channel. Other messages are ignored. */
export function answerCalls(channel: Channel, methods: Methods): void {
  const running = new Map<number, AbortController>()
  const answer = async ({ call, method, args }: Call) => {
    // If the caller is gone, the reply is not needed.
    const reply = (message: Omit<Reply, 'reply'>) => channel.send({ reply: call, ...message }, () => {})
    const ending = new AbortController()
    running.set(call, ending)
    try {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (run === undefined) throw new Error(`no such call: ${method}`)
      reply({ result: await run(...([...args, ending.signal] as never[])) })
    } catch (error) {
      reply({ fault: faultOf(error) })
    } finally {
      running.delete(call)
    }
  }
  channel.on('message', (message) => {
    if (has<Call>(message, 'call')) answer(message)
    else if (has<Abort>(message, 'abort')) running.get(message.abort)?.abort()
  })
}

/** Thrown if the other end exited or hung before it replied. It may or may not have done the work. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** Thrown if a call was not sent because the other end is gone or hung. Nothing was done. */
export class NotSent extends StoreFault {
  constructor() {
    super('busy', 'The process that should answer is gone or hangs. Try again.')
  }
}

/** Options for `createCaller`: when to give up on a hung peer. */
export interface CallerOptions {
  /**
   * Seconds without a message after which the other end counts as hung: open calls fail, and no call is sent until another
   * message arrives. Requires that the other end sends heartbeats. Default: no limit.
   */
  readonly silenceSeconds?: number
}

/**
 * Creates a caller for a channel. A StoreFault of the other end is rethrown as a StoreFault. A call that cannot be sent
 * fails with NotSent; a call that was sent but can no longer be answered fails with AnswerLost.
 */
export function createCaller(
  channel: Channel,
  { silenceSeconds = Number.POSITIVE_INFINITY }: CallerOptions = {},
): Caller {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  /** Seconds of silence. Counts ticks, since messages may still be unread after this process was paused. */
  let silent = 0
  const fail = (call: number, error: unknown) => {
    open.get(call)?.reject(error)
    open.delete(call)
  }
  const giveUp = (why: string) => {
    for (const call of open.keys()) fail(call, new AnswerLost(`The process that should answer ${why}.`))
  }
  const giveBack = (call: number) => channel.send({ abort: call } satisfies Abort, () => {})
  const listen = () => {
    silent += 1
    if (silent !== silenceSeconds) return
    // If the other end resumes, it must skip calls that it has not begun.
    for (const call of open.keys()) giveBack(call)
    giveUp('hangs')
  }
  if (Number.isFinite(silenceSeconds)) setInterval(listen, 1_000).unref()
  channel.on('disconnect', () => giveUp('is gone'))
  channel.on('message', (message) => {
    silent = 0
    if (!has<Reply>(message, 'reply')) return
    const waiting = open.get(message.reply)
    open.delete(message.reply)
    if (message.fault === undefined) waiting?.resolve(message.result)
    else waiting?.reject(errorFrom(message.fault))
  })
  return async (method, args = [], signal) => {
    signal?.throwIfAborted()
    if (silent >= silenceSeconds) throw new NotSent()
    const call = ++count
    const waiting = Promise.withResolvers<unknown>()
    open.set(call, waiting)
    channel.send({ call, method, args } satisfies Call, (error) => {
      if (error) fail(call, new NotSent())
    })
    const abort = () => {
      fail(call, signal?.reason)
      giveBack(call)
    }
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await waiting.promise
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
}

function faultOf(error: unknown): NonNullable<Reply['fault']> {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof StoreFault) {
    const { code, entity, details } = error
    return { message, code, entity, details }
  }
  return { message, stack: error instanceof Error ? error.stack : undefined }
}

function errorFrom({ message, code, entity, details, stack }: NonNullable<Reply['fault']>): Error {
  if (code === 'overloaded') return OVERLOADED_FAULT
  if (code !== undefined) return new StoreFault(code, message, { entity, details })
  return Object.assign(new Error(message), stack !== undefined && { stack })
}
