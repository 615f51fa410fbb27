/** A world's types, from its definition and its store: all that is needed to serve a world that is loaded. */

export { declaredTypes, effectiveTypes } from './load/effective-types.ts'
