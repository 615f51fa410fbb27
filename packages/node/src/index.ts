export { nodeCodings } from './node-codings.ts'
export {
  answerConnections,
  CLOSE_MS,
  type Listening,
  type ListenOptions,
  listen,
  listening,
  nodeListener,
  originOf,
  type RequestHandler,
} from './node-http.ts'
export type { ConnectionLimits } from './node-limits.ts'
export { linger } from './node-linger.ts'
export { plainAddress } from './plain-address.ts'
