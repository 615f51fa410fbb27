/** What the author's schemas ask of attributes, type by type. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { CompileSchema, Verdict } from '../schema-validator.ts'
import type { TypeDefinition } from './type-definition.ts'

/** What an entity's attributes come to under the schema of its type; no faults for types without one. */
export type TypeCheck = (type: string, attributes: JsonObject) => Verdict

const FINE: Verdict = { faults: [], warnings: [] }

/** Compiles the schemas. Throws as `compile`; of a definition that was read it does not. */
export function createTypeCheck(types: readonly TypeDefinition[], compile: CompileSchema): TypeCheck {
  const validators = new Map(
    types.flatMap(({ type, schema }) => (schema === undefined ? [] : [[type, compile(schema)] as const])),
  )
  return (type, attributes) => validators.get(type)?.(attributes) ?? FINE
}
