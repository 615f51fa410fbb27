/** Several processes behind one port: workers that answer, a primary that writes, a process that searches. */

export { withGroupCommit } from './group-commit.ts'
export type { Caller, Channel, Methods } from './rpc.ts'
export { AnswerLost, answerCalls, createCaller } from './rpc.ts'
export type { SearchProcessOptions } from './search-process.ts'
export { SearchProcess, withSearchProcess } from './search-process.ts'
export type { SharedStorage } from './shared-storage.ts'
export { createSharedStorage, shareStorage } from './shared-storage.ts'
export type { PoolOptions, PoolWorker, WorkerPool } from './worker-pool.ts'
export { startWorkerPool } from './worker-pool.ts'
export type { WorkerOptions } from './worker-process.ts'
export { serveAsWorker } from './worker-process.ts'
