/** What changed in a world, for those who copy and follow it: an extension of a world. */

export type { StreamLimits } from './event-streams.ts'
export type { ChangesOptions } from './routes.ts'
export { CHANGES_EXTENSION, changes } from './routes.ts'
