/** The thread that `run-in-thread.ts` starts: runs one task, and posts its events and how it ended. */
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

/** The tasks of the thread. Each takes plain data, posts events, and gives its result. */
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

/** What a thread is given: a task, and what the task takes. */
export interface TaskInput<Name extends TaskName> {
  readonly task: Name
  readonly input: Parameters<(typeof TASKS)[Name]>[0]
}

/** One event of a task. */
export type TaskEvent = OpenedEvent | LoadEvent

/** What the thread posts: each event of the task, and last its result or why there is none. */
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

/** Copies the store with this URL to a new file, and verifies the copy. */
async function backupStore({ store, file }: { readonly store: string; readonly file: string }) {
  return (await storeAt(store)).backup(file)
}

/** Makes one store of another, by their URLs. */
async function copyStores({ from, to }: { readonly from: string; readonly to: string }) {
  return copyStore(await storeAt(from), await storeAt(to))
}

function post(message: FromThread): void {
  parentPort?.postMessage(message)
}

const { task, input } = workerData as TaskInput<TaskName>
const ending = new AbortController()
// There is only one message: to end.
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
