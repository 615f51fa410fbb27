/**
 * Work on many entities, in a thread of its own: there the heap is held small, and neither answers nor writes wait for
 * it. The work sees the same surroundings as if it were done here.
 */
import { Readable } from 'node:stream'
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'
import type { Io, Output } from '../terminal/io.ts'
import type { Args, Brief, FromThread, Result, ToThread, WorkName } from './thread.ts'

const PROGRAM = import.meta.filename.replace(/apart(\.[jt]s)$/, 'thread$1')

/**
 * Loading makes much garbage at once, and without bounds Node lets hundreds of megabytes of it lie about. Most sources
 * need some tens; the old part is what one document that has to be read whole may take.
 */
const HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1_024 }

/**
 * Does a work apart, and gives its result. What it throws is thrown here with its name, message and values, but not with
 * its class. Aborted with `io.signal`, in order.
 */
export async function apart<Name extends WorkName>(
  work: Name,
  args: Args<Name>,
  io: Io,
  heap: ResourceLimits = HEAP,
): Promise<Result<Name>> {
  const { env, cwd, stdout, stderr } = io
  const brief: Brief = { work, args, env: { ...env }, cwd, stdout: shapeOf(stdout), stderr: shapeOf(stderr) }
  const thread = new Worker(PROGRAM, {
    workerData: brief,
    resourceLimits: heap,
  })
  const tell = (message: ToThread, moved: Transferable[] = []) => thread.postMessage(message, moved)
  const abort = () => tell({ abort: true })
  let input: Readable | undefined
  const { promise, resolve, reject } = Promise.withResolvers<Result<Name>>()
  thread.on('message', (message: FromThread) => {
    if ('write' in message) io[message.to].write(message.write)
    else if ('input' in message) {
      input = io.stdin instanceof Readable ? io.stdin : Readable.from(io.stdin)
      const stream = Readable.toWeb(input) as ReadableStream & Transferable
      tell({ input: stream }, [stream])
    } else if ('fault' in message) reject(Object.assign(new Error(message.fault.message), message.fault))
    else resolve(message.result as Result<Name>)
  })
  thread.on('error', (error) => reject(isOutOfMemory(error) ? tooLarge(error) : error))
  thread.on('exit', () => reject(new Error('The thread that loads ended early.')))
  io.signal.addEventListener('abort', abort)
  if (io.signal.aborted) abort()
  try {
    return await promise
  } finally {
    io.signal.removeEventListener('abort', abort)
    await thread.terminate()
    // What nobody reads to its end must not be waited for.
    input?.destroy()
  }
}

function isOutOfMemory(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooLarge(cause: Error): Error {
  const message =
    'A source is too large to be read whole, as YAML, Markdown and single JSON objects have to be: nothing was loaded. ' +
    'Split it, or make NDJSON of it.'
  return Object.assign(new Error(message, { cause }), { name: 'SourceFault' })
}

/** What a thread has to know of an output. */
function shapeOf({ isTTY = false, columns }: Output): Brief['stdout'] {
  return columns === undefined ? { isTTY } : { isTTY, columns }
}
