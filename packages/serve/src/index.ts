/** A world in production, as the command `world serve` runs it. */
export { runServe } from './run-serve.ts'
export type { ServedWorld, ServeSettings } from './serve.ts'
export { serve } from './serve.ts'
