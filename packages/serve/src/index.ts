/** A world in production: what the command `world serve` runs. */
export { runServe } from './run-serve.ts'
export type { ServedWorld, ServeSettings } from './serve.ts'
export { serve } from './serve.ts'
