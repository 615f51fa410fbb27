/** Writing over HTTP: tokens, conditional writes, bulk changes and private worlds. An extension of a world. */

export type { AuditEntry } from './audit.ts'
export type { OperatorOptions } from './routes.ts'
export { OPERATOR_EXTENSION, OPERATOR_PATH, operator } from './routes.ts'
export type { Scope, TokenDescription, TokenOptions } from './tokens.ts'
export { createToken, hasTokens, listTokens, revokeToken, scopeFrom } from './tokens.ts'
