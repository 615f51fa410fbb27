/** Completes what is inferred from values by what the tables of a database declare. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { ColumnType, ListedColumn } from '../formats/table/columns.ts'
import type { NamedSurvey } from './identify.ts'
import type { ProposedReference } from './propose-references.ts'

const SCHEMAS: Readonly<Record<ColumnType, JsonObject>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  json: {},
}

/**
 * Returns the schema of a column's values. Values decide where a type is declared that they need not have, as in SQLite, or
 * that numbers beyond the precision of a double do not have.
 */
export function declaredSchema(inferred: JsonObject | undefined, listed: ListedColumn): JsonObject {
  const declared = listed.type === undefined ? {} : SCHEMAS[listed.type]
  const isDeclared =
    inferred === undefined || (inferred['type'] === 'integer' && declared['type'] === 'number')
  const schema = isDeclared ? declared : open(inferred)
  return {
    ...schema,
    ...(listed.values && { enum: [...listed.values] }),
    ...(listed.mediaType && { contentMediaType: listed.mediaType }),
    ...descriptionOf(listed),
  }
}

/** Returns the schema of JSON without `required` at any depth, as later documents may lack members, and without mere nulls. */
function open(schema: JsonObject): JsonObject {
  const isClosed = (name: string, value: unknown) =>
    (name === 'required' && Array.isArray(value)) || (name === 'type' && value === 'null')
  return JSON.parse(JSON.stringify(schema), (name, value) => (isClosed(name, value) ? undefined : value))
}

/** Returns the comment on a table or a column as a member of a type or schema. */
export function descriptionOf({ description }: { readonly description?: string | undefined }) {
  return description === undefined ? {} : { description }
}

/** Returns notes on references that a table declares and the definition lacks, as it lacks their type or its ids differ. */
export function unresolved({ table }: NamedSurvey, found: readonly ProposedReference[]): string[] {
  const lost = table.references.filter((one) => found.every(({ column }) => column.name !== one.column))
  const notes = lost.map(
    ({ column, table: other, to }) =>
      `${column} refers to ${to} of ${other}, which is the id of no type here: it stays an attribute.`,
  )
  return [...notes, ...(table.notes ?? [])]
}
