/** Calls between processes: a method's name and arguments one way, its result or its fault the other. */
import {
  type EntityKey,
  OVERLOADED_FAULT,
  StorageFault,
  type StorageFaultCode,
} from '@worldwright/core/store'

/** What both ends of a channel between processes have: `process` in a worker, a `ChildProcess` in the primary. */
export interface Channel {
  /** `sent` gets the reason why a message could not be sent; without it, that would be an event `error` of the channel. */
  send(message: object, sent: (error: Error | null) => void): unknown
  on(event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown
}

/** The methods one end offers. Arguments and results are plain data; after the arguments comes the signal of the call. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>

/** Calls a method of the other end. Aborted, it fails at once with the signal's reason, and the other end hears of it. */
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
  /** The number of the call. */
  readonly abort: number
}

interface Reply {
  /** The number of the call. */
  readonly reply: number
  readonly result?: unknown
  /** `stack`: of an unforeseen error, to find its cause. */
  readonly fault?: {
    readonly message: string
    readonly code?: StorageFaultCode
    readonly entity?: EntityKey | undefined
    readonly stack?: string | undefined
  }
}

/** Answers the calls that come over a channel. Messages of other kinds are left alone. */
export function answerCalls(channel: Channel, methods: Methods): void {
  const running = new Map<number, AbortController>()
  const answer = async ({ call, method, args }: Call) => {
    // If the caller is gone, nobody misses the answer.
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

/** The other end went away, or fell silent, before it answered: whether it did what it was asked for is unknown. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** A call was not sent, because the other end is gone or silent: nothing was done. */
export class NotSent extends StorageFault {
  constructor() {
    super('busy', 'The process that should answer is gone or hangs. Try again.')
  }
}

/** How a caller treats the other end. */
export interface CallerOptions {
  /**
   * After so many seconds without a message the other end hangs: open calls fail, and no other is sent before it
   * speaks again. For one that sends something every few seconds. Absent: it is waited for.
   */
  readonly silenceSeconds?: number
}

/**
 * Makes calls over a channel. A StorageFault there is a StorageFault here. A call that cannot be sent fails
 * with NotSent; one that was sent and cannot be answered any more with AnswerLost.
 */
export function createCaller(
  channel: Channel,
  { silenceSeconds = Number.POSITIVE_INFINITY }: CallerOptions = {},
): Caller {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  /** Counted in seconds that were looked at: after a pause of this process, what came meanwhile is still to be read. */
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
    // When it goes on, what it has not begun is not done any more.
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
