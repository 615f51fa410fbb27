/** What the author's schemas ask of records and attributes, type by type. */
import type { JsonObject } from '@worldwright/client/protocol'
import { type CellTypes, cellTypesOf } from '../entities/cells.ts'
import { createValidator, type Verdict } from '../entities/validator.ts'
import type { TypeDefinition } from './definition.ts'

/** The checks of all types of a definition. */
export interface TypeChecks {
  /** What an entity's attributes come to; no faults for types without a schema. */
  check(type: string, attributes: JsonObject): Verdict
  /** What the cells of a type's attributes become. */
  cellTypes(type: string | undefined): CellTypes
}

const FINE: Verdict = { faults: [], warnings: [] }

/** Compiles the schemas. @throws SchemaFault; a definition that was read has none. */
export function createTypeChecks(types: readonly TypeDefinition[]): TypeChecks {
  const described = types.filter(({ schema }) => schema !== undefined)
  const validators = new Map(described.map(({ type, schema = {} }) => [type, createValidator(schema)]))
  const cells = new Map(described.map(({ type, schema }) => [type, cellTypesOf(schema)]))
  const text = cellTypesOf(undefined)
  return {
    check: (type, attributes) => validators.get(type)?.(attributes) ?? FINE,
    cellTypes: (type) => (type === undefined ? undefined : cells.get(type)) ?? text,
  }
}
