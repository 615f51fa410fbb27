/** Answers actions of a world of files in a worker, which is started by the first query, or search that contains text. */
import { DISCOVER_ACTION, type JsonObject } from '@worldwright/client/protocol'
import type { ReadEntities } from '@worldwright/extensions/queried-world'
import { askedOf, everything } from './everything.ts'
import workerUrl from './search-worker.ts?worker&url'
import type { SiteFiles } from './site-files.ts'

/** Message to a worker, sent with a port for the reply. Entities that the page has read are in the first message about them. */
export type Question =
  | { readonly files: SiteFiles; readonly action: string; readonly input: JsonObject }
  | { readonly read?: ReadEntities; readonly url: string; readonly init: RequestInit }

/** Answer to a call of an action: its HTTP status, and its body as JSON text. */
export interface ActionAnswer {
  readonly status: number
  readonly text: string
}

/** Reply of the worker: the answer, or a message if it cannot read the files. */
export type Reply = ActionAnswer | { readonly failed: string }

let engine: ReturnType<typeof startEngine> | undefined

/** Calls an action. Rejects if a file cannot be read. */
export async function searchFiles(
  files: SiteFiles,
  action: string,
  input: JsonObject,
): Promise<ActionAnswer> {
  if (action === DISCOVER_ACTION && askedOf(files, input).text === '')
    return { status: 200, text: JSON.stringify({ action, output: await everything(files, input) }) }
  engine ??= startEngine()
  return engine.ask({ files, action, input })
}

/** Starts a worker. Returns it with a function that sends it a question, and rejects if the worker fails. */
export function startEngine() {
  const worker = new Worker(ownScript(), { type: 'module' })
  const { promise: broken, reject } = Promise.withResolvers<never>()
  // Avoid an unhandled rejection if the worker fails while no search is pending.
  broken.catch(() => {})
  worker.addEventListener('error', ({ message }) => {
    if (engine?.worker === worker) engine = undefined
    reject(new Error(`The search could not be started. ${message}`))
  })
  const ask = (question: Question): Promise<ActionAnswer> => {
    const { port1, port2 } = new MessageChannel()
    worker.postMessage(question, [port2])
    const { promise, resolve, reject } = Promise.withResolvers<ActionAnswer>()
    port1.onmessage = ({ data }: MessageEvent<Reply>) =>
      'failed' in data ? reject(new Error(data.failed)) : resolve(data)
    return Promise.race([promise, broken]).finally(() => port1.close())
  }
  return { worker, ask }
}

/** Returns the URL of the worker script, as a trusted type where the browser supports them. */
function ownScript(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trusted ??= trustedTypes
    ?.createPolicy('worldwright-worker', { createScriptURL: () => workerUrl })
    .createScriptURL('')
  return (trusted as string | undefined) ?? workerUrl
}

/** Created once, since policy names must be unique. */
let trusted: unknown

/** The part of `trustedTypes` used here. Not all browsers have it. */
interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown }
}
