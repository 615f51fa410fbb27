/** Extension for writing over HTTP, with tokens, conditional writes, bulk writes and private worlds. */

export type { AuditEntry } from './audit.ts'
export { createAccess } from './authorise.ts'
export type { PictureStore } from './picture-route.ts'
export { OPERATOR_EXTENSION, OPERATOR_PATH, type OperatorOptions, operator } from './routes.ts'
export type { Scope, TokenDescription, TokenOptions } from './tokens.ts'
export { createToken, hasTokens, listTokens, revokeToken, scopeFrom } from './tokens.ts'
