export { composeWithActions } from './compose-world.ts'
export { listening } from './listen-at.ts'
export type { ServeOptions } from './serve-context.ts'
