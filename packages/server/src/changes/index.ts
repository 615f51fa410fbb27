/** What changed in a world, for those who copy and follow it: a route for a handler. */

export type { ChangesApi } from './routes.ts'
export { createChangesApi } from './routes.ts'
