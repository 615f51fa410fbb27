/** Process model of a server: workers behind one port, a primary that writes, and a search process. */

export { withGroupCommit } from './group-commit.ts'
export { AnswerLost, answerCalls, type Caller, type Channel, createCaller, type Methods } from './rpc.ts'
export { SearchProcess, type SearchProcessOptions, withSearchProcess } from './search-process.ts'
export { createSharedStore, type SharedStore, shareStore } from './shared-store.ts'
export { type PoolOptions, type PoolWorker, startWorkerPool, type WorkerPool } from './worker-pool.ts'
export { serveAsWorker, type WorkerOptions } from './worker-process.ts'
