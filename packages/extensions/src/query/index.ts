/** Extension for precise queries, `worldwright:query`. */
export { query } from './query-extension.ts'
