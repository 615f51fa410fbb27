/** Everything needed to serve an already loaded world: its types, derived from its definition and store. */

export { declaredTypes, effectiveTypes } from './load/effective-types.ts'
