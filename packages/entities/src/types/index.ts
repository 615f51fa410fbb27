/** Descriptions of types: from their author, as a world serves them, and as inferred from data. */

export { describedTypes, listTypes } from './list-types.ts'
export type { TypeCheck } from './type-check.ts'
export { createTypeCheck } from './type-check.ts'
export type { TypeDefinition } from './type-definition.ts'
export { withTypeInference } from './with-type-inference.ts'
