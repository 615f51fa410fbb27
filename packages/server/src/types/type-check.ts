/** What the author's schemas ask of attributes, type by type. */
import type { JsonObject } from '@worldwright/client/protocol'
import { createValidator, type Verdict } from '../schemas/validator.ts'
import type { TypeDefinition } from './type-definition.ts'

/** What an entity's attributes come to under the schema of its type; no faults for types without one. */
export type TypeCheck = (type: string, attributes: JsonObject) => Verdict

const FINE: Verdict = { faults: [], warnings: [] }

/** Compiles the schemas. @throws SchemaFault; a definition that was read has none. */
export function createTypeCheck(types: readonly TypeDefinition[]): TypeCheck {
  const validators = new Map(
    types.flatMap(({ type, schema }) =>
      schema === undefined ? [] : [[type, createValidator(schema)] as const],
    ),
  )
  return (type, attributes) => validators.get(type)?.(attributes) ?? FINE
}
