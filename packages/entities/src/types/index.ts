/** Descriptions of types, whether defined by an author, served by a world or inferred from data. */

export { describedTypes, listTypes } from './list-types.ts'
export { createTypeCheck, type TypeCheck } from './type-check.ts'
export type { TypeDefinition } from './type-definition.ts'
export { withTypeInference } from './with-type-inference.ts'
