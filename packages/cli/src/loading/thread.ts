/** The thread that `run-in-thread.ts` starts: runs one load, and hands over its events and how it ended. */
import { parentPort, workerData } from 'node:worker_threads'
import {
  type FilesLoad,
  type LoadEvent,
  loadFiles,
  loadWorld,
  resultOf,
  type WorldLoad,
} from '@worldwright/server/publish'
import { withStore, withStoreToTry } from '../open/workspace.ts'

/** The tasks of the thread. */
const TASKS = { loadFiles, loadWorld }

/** The name of a task of the thread. */
export type TaskName = keyof typeof TASKS

/** The result of a task, by its name. */
export type TaskResult<Name extends TaskName> =
  ReturnType<(typeof TASKS)[Name]> extends AsyncGenerator<unknown, infer Result> ? Result : never

/** What a thread is given: the load as plain data, and the store that it opens for it. */
export interface TaskInput<Name extends TaskName> {
  readonly task: Name
  /** The URL of the store. */
  readonly store: string
  readonly load: Omit<{ loadFiles: FilesLoad; loadWorld: WorldLoad }[Name], 'storage' | 'signal'>
}

/** What the thread sends: each event of the load, and last its result or why there is none. */
export type FromThread =
  | { readonly event: LoadEvent }
  | { readonly result: unknown }
  | { readonly fault: { readonly name: string; readonly message: string } }

function post(message: FromThread): void {
  parentPort?.postMessage(message)
}

const { task, store, load } = workerData as TaskInput<TaskName>
const ending = new AbortController()
// There is only one message: to end.
parentPort?.on('message', () => ending.abort())
const run = TASKS[task] as (load: object) => AsyncGenerator<LoadEvent, unknown>
const openStore = 'dryRun' in load && load.dryRun ? withStoreToTry : withStore
try {
  const result = await openStore(store, (storage) =>
    resultOf(run({ ...load, storage, signal: ending.signal }), (event) => post({ event })),
  )
  post({ result })
} catch (error) {
  const { name, message } = error as Error
  post({ fault: { ...(error as Error), name, message } })
}
