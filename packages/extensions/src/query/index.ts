/** Precise queries, `worldwright:query`, as an extension of a world. */
export { query } from './query-extension.ts'
