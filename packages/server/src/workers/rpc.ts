/** Calls between processes: a method's name and arguments one way, its result or its fault the other. */
import { StorageFault, type StorageFaultCode } from '../storage/contract.ts'

/** What both ends of a channel between processes have: `process` in a worker, a `Worker` in the primary. */
export interface Channel {
  /** `sent` hears why a message could not be sent; without it, that would be an event `error` of the channel. */
  send(message: object, sent: (error: Error | null) => void): unknown
  on(event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown
}

/** The methods one end offers. Arguments and results are plain data. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>

interface Call {
  readonly call: number
  readonly method: string
  readonly args: unknown[]
}

interface Reply {
  readonly reply: number
  readonly result?: unknown
  /** `stack`: of what was not foreseen, for whoever looks for its cause. */
  readonly fault?: {
    readonly message: string
    readonly code?: StorageFaultCode
    readonly stack?: string | undefined
  }
}

/** Answers the calls that come over a channel. Messages of other kinds are left alone. */
export function answerCalls(channel: Channel, methods: Methods): void {
  // Where whoever asked is gone, nobody misses the answer.
  const reply = (message: Reply) => channel.send(message, () => {})
  channel.on('message', async (message) => {
    if (!isCall(message)) return
    const { call, method, args } = message
    try {
      const run = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (run === undefined) throw new Error(`no such call: ${method}`)
      reply({ reply: call, result: await run(...(args as never[])) })
    } catch (error) {
      reply({ reply: call, fault: faultOf(error) })
    }
  })
}

/** The other end went away before it answered: whether it did what it was asked for, nobody knows. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/**
 * Makes calls over a channel. A StorageFault there is a StorageFault here. A call that cannot be sent, because the other
 * end is gone, fails as `busy`; one that was sent and can have no answer any more with AnswerLost.
 */
export function createCaller(channel: Channel): (method: string, ...args: unknown[]) => Promise<unknown> {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  const fail = (call: number, error: Error) => {
    open.get(call)?.reject(error)
    open.delete(call)
  }
  channel.on('disconnect', () => {
    for (const call of open.keys()) fail(call, new AnswerLost('The process that should answer is gone.'))
  })
  channel.on('message', (message) => {
    if (!isReply(message)) return
    const waiting = open.get(message.reply)
    open.delete(message.reply)
    if (message.fault === undefined) waiting?.resolve(message.result)
    else waiting?.reject(errorFrom(message.fault))
  })
  return (method, ...args) => {
    const call = ++count
    const waiting = Promise.withResolvers<unknown>()
    open.set(call, waiting)
    channel.send({ call, method, args } satisfies Call, (error) => {
      if (error) fail(call, new StorageFault('busy', 'The process that should answer is gone. Try again.'))
    })
    return waiting.promise
  }
}

/** What a call answers, or its failure by the reason of a signal, whichever comes first: the call itself goes on. */
export async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([answer, promise])
  } finally {
    signal.removeEventListener('abort', abort)
    // Nobody else looks at it once the signal came first.
    answer.catch(() => {})
  }
}

function isCall(message: unknown): message is Call {
  return typeof message === 'object' && message !== null && 'call' in message && 'method' in message
}

function isReply(message: unknown): message is Reply {
  return typeof message === 'object' && message !== null && 'reply' in message
}

function faultOf(error: unknown): NonNullable<Reply['fault']> {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof StorageFault) return { message, code: error.code }
  return { message, stack: error instanceof Error ? error.stack : undefined }
}

function errorFrom({ message, code, stack }: NonNullable<Reply['fault']>): Error {
  if (code !== undefined) return new StorageFault(code, message)
  return Object.assign(new Error(message), stack !== undefined && { stack })
}
