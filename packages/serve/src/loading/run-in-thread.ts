/** Long work in a thread of its own: the heap stays small there, and answers, writes and signals do not wait for it. */
import { on } from 'node:events'
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'
import type { FromThread, TaskEvent, TaskInput, TaskName, TaskResult } from './thread.ts'

const PROGRAM = import.meta.filename.replace(/run-in-thread(\.[jt]s)$/, 'thread$1')

/**
 * Heap limits of the thread, in megabytes. Loading makes much garbage, and without limits Node.js accumulates hundreds of
 * megabytes. Most sources need a few tens; the old generation has room for one document that must be read whole.
 */
const HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1_024 }

/** Options for running a task in a thread. */
export interface ThreadOptions {
  /** Ends the task when aborted. An aborted load has loaded nothing. */
  readonly signal: AbortSignal
  /** Streams in the input, which are transferred to the thread. */
  readonly transfer?: readonly Transferable[]
  readonly heap?: ResourceLimits
  /** Terminates the thread at once when aborted: the task ignores signals. For tasks that leave nothing half done. */
  readonly stopsAtOnce?: boolean
}

/**
 * Runs a task in a thread: yields its events as they come, then returns its result. An error of the task is thrown here with
 * its name, message and values, but not with its class.
 */
export async function* runInThread<Name extends TaskName>(
  input: TaskInput<Name>,
  { signal, transfer = [], heap = HEAP, stopsAtOnce = false }: ThreadOptions,
): AsyncGenerator<TaskEvent, TaskResult<Name>> {
  const thread = new Worker(PROGRAM, {
    workerData: input,
    transferList: [...transfer],
    resourceLimits: heap,
  })
  const messages = on(thread, 'message', { close: ['exit'] })
  const abort = () => void (stopsAtOnce ? thread.terminate() : thread.postMessage('abort'))
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    for await (const [message] of messages as AsyncIterable<[FromThread]>) {
      if ('event' in message) yield message.event
      else if ('fault' in message) throw Object.assign(new Error(message.fault.message), message.fault)
      else return message.result as TaskResult<Name>
    }
    signal.throwIfAborted()
    throw new Error('The thread ended early.')
  } catch (error) {
    throw isOutOfMemory(error) ? tooLarge(error) : error
  } finally {
    signal.removeEventListener('abort', abort)
    await thread.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooLarge(cause: unknown): Error {
  const message =
    'A source is too large to be read whole, as YAML, Markdown and single JSON objects have to be: nothing was loaded. ' +
    'Split it, or make NDJSON of it.'
  return Object.assign(new Error(message, { cause }), { name: 'SourceFault' })
}
