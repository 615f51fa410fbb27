/** Extension for precise queries, `worldwright:query`. */

export { query } from './query-extension.ts'
export { noType } from './read-input.ts'
