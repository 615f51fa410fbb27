/** JSON Schema (2020-12): validates values against a schema and infers a schema from values. */

export { SchemaInference } from './infer-schema.ts'
export { createValidator, SchemaFault } from './validator.ts'
