/** What changed in a world, for those who copy and follow it: a route for a handler. */

export type { ChangesApi, ChangesOptions } from './routes.ts'
export { CHANGES_EXTENSION, createChangesApi } from './routes.ts'
