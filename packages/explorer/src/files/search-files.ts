/** Questions to the index of a world that is files, asked in a worker that is started with the first one that has a text. */
import type { JsonObject } from '@worldwright/client/protocol'
import { askedOf, everything } from './everything.ts'
import workerUrl from './search-worker.ts?worker&url'
import type { SiteFiles } from './site-files.ts'

/** What goes to the worker. */
export interface Question {
  readonly number: number
  readonly files: SiteFiles
  readonly input: JsonObject
}

/** What comes back for the question of this number: an output of `wp:discover`, or why there is none. */
export type Reply =
  | { readonly number: number; readonly output: JsonObject }
  | { readonly number: number; readonly failed: string }

interface Waiting {
  resolve(output: JsonObject): void
  reject(error: Error): void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let last = 0

/** The output of `wp:discover`. Rejects where the files cannot be read. */
export function searchFiles(files: SiteFiles, input: JsonObject): Promise<JsonObject> {
  if (askedOf(files, input).text === '') return everything(files, input)
  worker ??= startWorker()
  last += 1
  const question: Question = { number: last, files, input }
  const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
  waiting.set(last, { resolve, reject })
  worker.postMessage(question)
  return promise
}

function startWorker(): Worker {
  const started = new Worker(ownScript(), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const asked = waiting.get(data.number)
    waiting.delete(data.number)
    if ('output' in data) asked?.resolve(data.output)
    else asked?.reject(new Error(data.failed))
  })
  started.addEventListener('error', ({ message }) => {
    worker = undefined
    for (const { reject } of waiting.values())
      reject(new Error(`The search could not be started. ${message}`))
    waiting.clear()
  })
  return started
}

/** As the policy of the page wants the address: this one script can be started, and no other. */
function ownScript(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trusted ??= trustedTypes
    ?.createPolicy('worldwright-worker', { createScriptURL: () => workerUrl })
    .createScriptURL('')
  return (trusted as string | undefined) ?? workerUrl
}

/** Made once: no policy may have the name of another. */
let trusted: unknown

/** Of `trustedTypes`, which some browsers do not have. */
interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown }
}
