/** The thread that `apart.ts` starts: does the work it is told to, and hands what that writes and throws over. */
import { Writable } from 'node:stream'
import { parentPort, workerData } from 'node:worker_threads'
import type { Io, Output } from '../terminal/io.ts'
import { importFiles } from './import-files.ts'
import { loadSources } from './load-sources.ts'

/** What can be done apart. Arguments and results are plain data; the last argument is the surroundings. */
const WORKS = { importFiles, loadSources }

/** The name of a work. */
export type WorkName = keyof typeof WORKS

/** What a work is given beside its surroundings. */
export type Args<Name extends WorkName> =
  Parameters<(typeof WORKS)[Name]> extends [...infer Given, Io] ? Given : never

/** What a work comes to. */
export type Result<Name extends WorkName> = Awaited<ReturnType<(typeof WORKS)[Name]>>

/** What the thread begins with. */
export interface Brief extends Pick<Io, 'env' | 'cwd'> {
  readonly work: WorkName
  readonly args: readonly unknown[]
  readonly stdout: Pick<Output, 'isTTY' | 'columns'>
  readonly stderr: Pick<Output, 'isTTY' | 'columns'>
}

/** What the thread is told: to end, or the standard input that it asked for. */
export type ToThread = { readonly abort: true } | { readonly input: ReadableStream<Uint8Array> }

/** What the thread says: text to write, that it needs the standard input, and how it ended. */
export type FromThread =
  | { readonly to: 'stdout' | 'stderr'; readonly write: string }
  | { readonly input: true }
  | { readonly result: unknown }
  | { readonly fault: { readonly name: string; readonly message: string } }

const { work, args, env, cwd, stdout, stderr } = workerData as Brief
const ending = new AbortController()
const input = Promise.withResolvers<ReadableStream<Uint8Array>>()

function tell(message: FromThread): void {
  parentPort?.postMessage(message)
}

function output(to: 'stdout' | 'stderr', shape: Brief['stdout']): Output {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      tell({ to, write: String(chunk) })
      done()
    },
  })
  return Object.assign(stream, shape)
}

/** Ends early where the work is to end: nothing more may ever come. */
async function* stdin(): AsyncGenerator<Uint8Array> {
  tell({ input: true })
  const reader = (await input.promise).getReader()
  const cancel = () => reader.cancel().catch(() => {})
  ending.signal.addEventListener('abort', cancel)
  if (ending.signal.aborted) cancel()
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
}

parentPort?.on('message', (message: ToThread) => {
  if ('input' in message) input.resolve(message.input)
  else ending.abort()
})
const io: Io = {
  stdin: stdin(),
  stdout: output('stdout', stdout),
  stderr: output('stderr', stderr),
  env,
  cwd,
  signal: ending.signal,
}
const run = WORKS[work] as (...given: unknown[]) => Promise<unknown>
try {
  tell({ result: await run(...args, io) })
} catch (error) {
  const { name, message } = error as Error
  tell({ fault: { ...(error as Error), name, message } })
}
