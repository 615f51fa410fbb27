/** Validates attributes against the schema that the author of their type defined. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { CompileSchema, Validator, Verdict } from '../schema-validator.ts'
import type { TypeDefinition } from './type-definition.ts'

/** Validates attributes against the schema of `type`. A type without a schema accepts any attributes. */
export type TypeCheck = (type: string, attributes: JsonObject) => Verdict

const FINE: Verdict = { faults: [], warnings: [] }

/** Compiles the schemas of `types` into a check. @throws TypeError that names the type if its schema cannot be compiled */
export function createTypeCheck(types: readonly TypeDefinition[], compile: CompileSchema): TypeCheck {
  const validators = new Map(
    types.flatMap(({ type, schema }) =>
      schema === undefined ? [] : [[type, compiled(type, schema, compile)] as const],
    ),
  )
  return (type, attributes) => validators.get(type)?.(attributes) ?? FINE
}

function compiled(type: string, schema: JsonObject, compile: CompileSchema): Validator {
  try {
    return compile(schema)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(`The schema of ${type} cannot be compiled: ${message}`, { cause })
  }
}
