/** JSON Schema (2020-12): holding values against one, and inferring one from values. */

export { SchemaInference } from './infer-schema.ts'
export { createValidator, SchemaFault } from './validator.ts'
