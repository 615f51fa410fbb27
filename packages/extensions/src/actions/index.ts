/** Actions beyond `wp:discover`, each defined by two schemas and a function. Runs without Node.js. */
export type { ActionDefinition, HandlerContext } from './define-action.ts'
export { defineAction } from './define-action.ts'
export type { JobContext, JobWork } from './jobs.ts'
export { Job } from './jobs.ts'
export type { EntityContent, TransactionContext, TransactionEntities, WrittenOnlyIf } from './transaction.ts'
export { transact } from './transaction.ts'
export type { ReaderSearch, WorldReader } from './world-reader.ts'
