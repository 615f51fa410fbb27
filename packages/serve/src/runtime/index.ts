export { composeWithActions } from './compose-world.ts'
export { listenFault } from './listen-at.ts'
export type { ServeOptions } from './serve-context.ts'
