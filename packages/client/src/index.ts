/**
 * `@worldwright/client`: read any world of the protocol `world/0.1`, starting from nothing but its origin.
 */
export { type ConnectOptions, connect } from './connect.ts'
export { type ClientErrorCode, isWorldError, WorldError, type WorldErrorContext } from './error.ts'
export type { Entities } from './pages.ts'
export type * from './protocol.ts'
export type { Fetch } from './redirect.ts'
export type { CallOptions } from './request.ts'
export type { ListInput, World } from './world.ts'
