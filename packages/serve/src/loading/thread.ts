/** Entry point of the thread started by `run-in-thread.ts`. Runs one task and posts its events and its result. */
import { parentPort, workerData } from 'node:worker_threads'
import { copyStore, storeAt } from '@worldwright/engines'
import {
  type ImportResult,
  type LoadEvent,
  type LoadResult,
  loadWorld,
  resultOf,
  type WorldLoad,
} from '@worldwright/publish'
import { withOwnStore } from '../open/workspace.ts'
import { makeDownload } from './download-task.ts'
import { type ImportInput, importFiles, type OpenedEvent } from './import-task.ts'
import { storeStatus } from './status-task.ts'
import { verifyStore } from './verify-task.ts'

/** Tasks of the thread. Each takes plain data, posts events, and returns its result. */
const TASKS = {
  backupStore,
  copyStores,
  importFiles: importAll,
  loadSources,
  makeDownload,
  storeStatus,
  verifyStore,
}

/** Name of a task of the thread. */
export type TaskName = keyof typeof TASKS

/** Result of the named task, as plain data. */
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>

/** Input of a thread: the name of a task, and its input. */
export interface TaskInput<Name extends TaskName> {
  readonly task: Name
  readonly input: Parameters<(typeof TASKS)[Name]>[0]
}

/** An event posted by a task. */
export type TaskEvent = OpenedEvent | LoadEvent

/** Messages from the thread: the events of the task, then its result or error. */
export type FromThread =
  | { readonly event: TaskEvent }
  | { readonly result: unknown }
  | { readonly fault: { readonly name: string; readonly message: string } }

function loadSources(
  { store: url, ...world }: Omit<WorldLoad, 'store' | 'signal'> & { readonly store: string },
  postEvent: (event: LoadEvent) => void,
  signal: AbortSignal,
): Promise<LoadResult | undefined> {
  return withOwnStore(url, (store) => resultOf(loadWorld({ ...world, store, signal }), postEvent))
}

function importAll(
  input: ImportInput,
  postEvent: (event: TaskEvent) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  return importFiles(input, (events) => resultOf(events, postEvent), signal)
}

/** Backs up the store at a URL to a new file, and verifies the backup. */
async function backupStore({ store, file }: { readonly store: string; readonly file: string }) {
  return (await storeAt(store)).backup(file)
}

async function copyStores({ from, to }: { readonly from: string; readonly to: string }) {
  return copyStore(await storeAt(from), await storeAt(to))
}

function post(message: FromThread): void {
  parentPort?.postMessage(message)
}

const { task, input } = workerData as TaskInput<TaskName>
const ending = new AbortController()
// The only message is the request to abort.
parentPort?.on('message', () => ending.abort())
const run = TASKS[task] as (
  input: unknown,
  postEvent: (event: TaskEvent) => void,
  signal: AbortSignal,
) => Promise<unknown>
try {
  post({ result: await run(input, (event) => post({ event }), ending.signal) })
} catch (error) {
  const { name, message } = error as Error
  post({ fault: { ...(error as Error), name, message } })
}
