/** Calls between processes: a method's name and arguments one way, its result or its fault the other. */
import {
  type EntityKey,
  OVERLOADED_FAULT,
  StorageFault,
  type StorageFaultCode,
} from '@worldwright/core/store'

/** Common interface of both ends of a channel between processes: `process` in a worker, a `ChildProcess` in the primary. */
export interface Channel {
  /** `sent` gets the reason if a message could not be sent; without it, the channel would emit an `error`. */
  send(message: object, sent: (error: Error | null) => void): unknown
  on(event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown
}

/** Methods that one end offers. Arguments and results are plain data; the last argument is the signal of the call. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>

/** Calls a method of the other end. An aborted call fails at once with the signal's reason, and the other end is notified. */
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
  /** Number of the call. */
  readonly abort: number
}

interface Reply {
  /** Number of the call. */
  readonly reply: number
  readonly result?: unknown
  /** `stack`: that of an unforeseen error, to find its cause. */
  readonly fault?: {
    readonly message: string
    readonly code?: StorageFaultCode
    readonly entity?: EntityKey | undefined
    readonly stack?: string | undefined
  }
}

/** Answers the calls that arrive on a channel. Other messages are ignored. */
export function answerCalls(channel: Channel, methods: Methods): void {
  const running = new Map<number, AbortController>()
  const answer = async ({ call, method, args }: Call) => {
    // If the caller is gone, the answer is not needed.
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

/** The other end is gone or silent, and has not answered: whether it did the work is unknown. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** A call was not sent, because the other end is gone or silent: nothing was done. */
export class NotSent extends StorageFault {
  constructor() {
    super('busy', 'The process that should answer is gone or hangs. Try again.')
  }
}

/** Options of a caller, about its other end. */
export interface CallerOptions {
  /**
   * Seconds without a message after which the other end counts as hung: open calls fail, and none is sent before it speaks
   * again. For an end that sends something every few seconds. Absent: no limit.
   */
  readonly silenceSeconds?: number
}

/**
 * Creates a caller for a channel. A StorageFault there is a StorageFault here. A call that cannot be sent fails with NotSent;
 * one that was sent and can no longer be answered, with AnswerLost.
 */
export function createCaller(
  channel: Channel,
  { silenceSeconds = Number.POSITIVE_INFINITY }: CallerOptions = {},
): Caller {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  /** Seconds of silence, in ticks of this process: after a pause, messages from the meantime are still to be read. */
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
    // If it resumes, it must skip the calls that it has not begun.
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

function has<Message>(message: unknown, member: keyof Message): message is Message {
  return typeof message === 'object' && message !== null && member in message
}

function faultOf(error: unknown): NonNullable<Reply['fault']> {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof StorageFault) return { message, code: error.code, entity: error.entity }
  return { message, stack: error instanceof Error ? error.stack : undefined }
}

function errorFrom({ message, code, entity, stack }: NonNullable<Reply['fault']>): Error {
  if (code === 'overloaded') return OVERLOADED_FAULT
  if (code !== undefined) return new StorageFault(code, message, { entity })
  return Object.assign(new Error(message), stack !== undefined && { stack })
}
