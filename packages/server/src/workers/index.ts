/** Several processes behind one port: workers that answer, one owner that writes, one process that searches. */

export type { Channel, Methods } from './calls.ts'
export { AnswerLost, answerCalls, createCaller } from './calls.ts'
export { groupingWrites } from './group-commit.ts'
export type { Pool, PoolOptions, PoolWorker } from './pool.ts'
export { startPool } from './pool.ts'
export type { SearchProcess, SearchProcessOptions } from './search-process.ts'
export { createSearchProcess, searchingIn } from './search-process.ts'
export type { SharedStorage } from './shared-storage.ts'
export { createSharedStorage, shareStorage } from './shared-storage.ts'
export type { WorkerOptions } from './worker.ts'
export { serveAsWorker } from './worker.ts'
