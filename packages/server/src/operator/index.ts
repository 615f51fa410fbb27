/** Writing over HTTP: tokens, conditional writes, bulk changes and private worlds, as routes for a handler. */

export type { OperatorApi } from './routes.ts'
export { createOperatorApi, OPERATOR_EXTENSION, OPERATOR_PATH } from './routes.ts'
export type { Scope, TokenDescription, TokenOptions } from './tokens.ts'
export { createToken, createTokenCheck, hasTokens, listTokens, revokeToken, scopeFrom } from './tokens.ts'
