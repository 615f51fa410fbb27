/** Serves worlds in production, as the command `world serve` does. */
export { runServe } from './run-serve.ts'
export { type ServedWorld, type ServeSettings, serve } from './serve.ts'
