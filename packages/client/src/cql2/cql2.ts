/**
 * `@worldwright/client/cql2`: human-readable conditions. Converts the text form of CQL2 (OGC 21-065r2), as far as queries
 * support it, to and from its JSON form. Imports only protocol types, and runs in any JavaScript runtime.
 */
export type { Cql2Expression } from '../query-types.ts'
export { parseCql2, parseExpression, parseProperty, parseSort, type SortInput } from './parse.ts'
export { Cql2SyntaxError } from './syntax-error.ts'
export { cql2Property, cql2Text } from './text.ts'
