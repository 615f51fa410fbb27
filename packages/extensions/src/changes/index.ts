/** Extension that publishes a world's change log, so that clients can mirror the world and follow it. */

export type { StreamLimits } from './event-streams.ts'
export { CHANGES_EXTENSION, type ChangesOptions, changes } from './routes.ts'
