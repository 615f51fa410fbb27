/** What a definition and a store say of a world's types: all that is needed to answer for a world that is loaded. */

export { declaredTypes, effectiveTypes } from './load/effective-types.ts'
