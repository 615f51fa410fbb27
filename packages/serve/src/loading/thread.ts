/** The thread that `run-in-thread.ts` starts: runs one task, and posts its events and its outcome. */
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

/** The name of a task of the thread. */
export type TaskName = keyof typeof TASKS

/** The result of a task, by its name. */
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>

/** Input of a thread: a task, and the task's own input. */
export interface TaskInput<Name extends TaskName> {
  readonly task: Name
  readonly input: Parameters<(typeof TASKS)[Name]>[0]
}

/** One event of a task. */
export type TaskEvent = OpenedEvent | LoadEvent

/** Messages of the thread: each event of the task, and finally its result or its fault. */
export type FromThread =
  | { readonly event: TaskEvent }
  | { readonly result: unknown }
  | { readonly fault: { readonly name: string; readonly message: string } }

/** Loads the sources of a world into the store with this URL. */
function loadSources(
  { store, ...world }: Omit<WorldLoad, 'storage' | 'signal'> & { readonly store: string },
  postEvent: (event: LoadEvent) => void,
  signal: AbortSignal,
): Promise<LoadResult | undefined> {
  return withOwnStore(store, (storage) => resultOf(loadWorld({ ...world, storage, signal }), postEvent))
}

/** Loads files into a store. */
function importAll(
  input: ImportInput,
  postEvent: (event: TaskEvent) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  return importFiles(input, (events) => resultOf(events, postEvent), signal)
}

/** Backs up the store at this URL to a new file, and verifies the backup. */
async function backupStore({ store, file }: { readonly store: string; readonly file: string }) {
  return (await storeAt(store)).backup(file)
}

/** Copies one store to another, by their URLs. */
async function copyStores({ from, to }: { readonly from: string; readonly to: string }) {
  return copyStore(await storeAt(from), await storeAt(to))
}

function post(message: FromThread): void {
  parentPort?.postMessage(message)
}

const { task, input } = workerData as TaskInput<TaskName>
const ending = new AbortController()
// The only message is the request to end.
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
