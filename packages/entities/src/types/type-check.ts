/** Validates attributes against the author's schema of their type. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { CompileSchema, Verdict } from '../schema-validator.ts'
import type { TypeDefinition } from './type-definition.ts'

/** Validates an entity's attributes against the schema of its type; a type without a schema has no faults. */
export type TypeCheck = (type: string, attributes: JsonObject) => Verdict

const FINE: Verdict = { faults: [], warnings: [] }

/** Compiles the schemas. Throws as `compile` does, but never for a definition that has been read. */
export function createTypeCheck(types: readonly TypeDefinition[], compile: CompileSchema): TypeCheck {
  const validators = new Map(
    types.flatMap(({ type, schema }) => (schema === undefined ? [] : [[type, compile(schema)] as const])),
  )
  return (type, attributes) => validators.get(type)?.(attributes) ?? FINE
}
