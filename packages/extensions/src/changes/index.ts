/** The change log of a world, for clients that mirror and follow it: an extension of a world. */

export type { StreamLimits } from './event-streams.ts'
export type { ChangesOptions } from './routes.ts'
export { CHANGES_EXTENSION, changes } from './routes.ts'
