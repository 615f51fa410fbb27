/** Runs long tasks in a separate thread with a limited heap, so that they do not delay responses, writes or signals. */
import { on } from 'node:events'
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'
import type { FromThread, TaskEvent, TaskInput, TaskName, TaskResult } from './thread.ts'

const PROGRAM = import.meta.filename.replace(/run-in-thread(\.[jt]s)$/, 'thread$1')

/**
 * Heap limits of the thread. Without them, Node.js would accumulate hundreds of megabytes of garbage during a load. Most
 * sources need a few tens of megabytes. A document that must be read as a whole needs a large old generation.
 */
const HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1_024 }

/** Options for running a task in a thread. */
export interface ThreadOptions {
  /** Ends the task when aborted. An aborted load loads nothing. */
  readonly signal: AbortSignal
  /** Streams in the task's input that are transferred to the thread. */
  readonly transfer?: readonly Transferable[]
  readonly heap?: ResourceLimits
  /** If true, terminates the thread when aborted. For tasks that ignore signals and leave no partial result. */
  readonly stopsAtOnce?: boolean
}

/**
 * Runs a task in a thread, yields its events, and returns its result. An error of the task is rethrown with its name,
 * message and values, but without its class.
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
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(error) : error
  } finally {
    signal.removeEventListener('abort', abort)
    await thread.terminate()
  }
}

function tooLarge(cause: unknown): Error {
  const message =
    'A source is too large to be read whole, as YAML, Markdown and single JSON objects have to be: it was not loaded. ' +
    'Split it, or make NDJSON of it.'
  return Object.assign(new Error(message, { cause }), { name: 'SourceFault' })
}
