/** Long work in a thread of its own: there the heap is held small, and neither answers, writes nor signals wait for it. */
import { on } from 'node:events'
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'
import type { FromThread, TaskEvent, TaskInput, TaskName, TaskResult } from './thread.ts'

const PROGRAM = import.meta.filename.replace(/run-in-thread(\.[jt]s)$/, 'thread$1')

/**
 * Loading makes much garbage, and without limits Node lets hundreds of megabytes of it pile up. Most sources need some
 * tens; the old generation has room for one document that has to be read whole.
 */
const HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1_024 }

/** How the thread of a task is run. */
export interface ThreadOptions {
  /** Aborted: the task ends. A load ends with nothing loaded. */
  readonly signal: AbortSignal
  /** Streams in the input, which the thread takes over. */
  readonly transfer?: readonly Transferable[]
  readonly heap?: ResourceLimits
  /** The task listens to no signal: aborted, the thread is ended where it is. For what leaves nothing half done. */
  readonly stopsAtOnce?: boolean
}

/**
 * Runs a task in a thread: its events as they come, then its result. What it throws is thrown here with its name,
 * message and values, but not with its class.
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
