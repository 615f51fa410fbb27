/** What types say: as their author describes them, as a world serves them, and as their data teach. */

export { describedTypes, listTypes } from './list-types.ts'
export type { TypeCheck } from './type-check.ts'
export { createTypeCheck } from './type-check.ts'
export type { TypeDefinition } from './type-definition.ts'
export { withTypeInference } from './with-type-inference.ts'
