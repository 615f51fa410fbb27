/** Searches the index of a world that is files, in a worker that starts with the first question that has a text. */
import type { JsonObject } from '@worldwright/client/protocol'
import { askedOf, everything } from './everything.ts'
import workerUrl from './search-worker.ts?worker&url'
import type { SiteFiles } from './site-files.ts'

/** A message to the worker, with a port for the reply. */
export interface Question {
  readonly files: SiteFiles
  readonly input: JsonObject
}

/** The reply: an output of `wp:discover`, or the reason if there is none. */
export type Reply = { readonly output: JsonObject } | { readonly failed: string }

/** The worker, and a promise that rejects if it breaks. */
let engine: { readonly worker: Worker; readonly broken: Promise<never> } | undefined

/** Returns the output of `wp:discover`. Rejects if the files cannot be read. */
export function searchFiles(files: SiteFiles, input: JsonObject): Promise<JsonObject> {
  if (askedOf(files, input).text === '') return everything(files, input)
  engine ??= startEngine()
  const { port1, port2 } = new MessageChannel()
  const question: Question = { files, input }
  engine.worker.postMessage(question, [port2])
  const { promise, resolve, reject } = Promise.withResolvers<JsonObject>()
  port1.onmessage = ({ data }: MessageEvent<Reply>) =>
    'output' in data ? resolve(data.output) : reject(new Error(data.failed))
  return Promise.race([promise, engine.broken]).finally(() => port1.close())
}

function startEngine() {
  const worker = new Worker(ownScript(), { type: 'module' })
  const { promise: broken, reject } = Promise.withResolvers<never>()
  // It may break while no question is pending.
  broken.catch(() => {})
  worker.addEventListener('error', ({ message }) => {
    engine = undefined
    reject(new Error(`The search could not be started. ${message}`))
  })
  return { worker, broken }
}

/** Returns the worker's URL as the policy of the page requires: this one script can be started, and no other. */
function ownScript(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trusted ??= trustedTypes
    ?.createPolicy('worldwright-worker', { createScriptURL: () => workerUrl })
    .createScriptURL('')
  return (trusted as string | undefined) ?? workerUrl
}

/** Created once: the name of a policy is unique. */
let trusted: unknown

/** The part of `trustedTypes` used here; some browsers do not have it. */
interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown }
}
