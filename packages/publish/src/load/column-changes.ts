/** Compares the attributes that the records of a source have with those that the schema of their type names. */
import { type Entity, isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import type { TypeDefinition } from '@worldwright/entities/types'

/** Attributes in the records of one source, by type: those in the schema, also if their cells are empty, and others. */
export type SeenColumns = Map<string, { readonly there: Set<string>; readonly fresh: Set<string> }>

/** Maximum number of new names kept and reported. */
const MOST_NAMED = 20

/** Keywords beside which `properties` does not name all attributes. */
const ELSEWHERE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties']

/** The attributes that the schemas of a definition name. */
export class DescribedColumns {
  readonly #schemas: ReadonlyMap<string, JsonObject>

  constructor(types: readonly TypeDefinition[]) {
    this.#schemas = new Map(types.flatMap(({ type, schema }) => (namesAll(schema) ? [[type, schema]] : [])))
  }

  /** Notes the attributes of an entity, and the columns of its record if it is the first of its type. */
  see(columns: SeenColumns, { type, attributes }: Entity, record: JsonValue): void {
    const schema = this.#schemas.get(type)
    if (schema === undefined) return
    const known = columns.get(type)
    const { there, fresh } = known ?? { there: new Set(), fresh: new Set() }
    if (known === undefined) columns.set(type, { there, fresh })
    for (const name of Object.keys(known || !isObject(record) ? attributes : { ...record, ...attributes })) {
      if (there.has(name) || fresh.has(name)) continue
      if (Object.hasOwn(schema['properties'] as JsonObject, name)) there.add(name)
      else if (fresh.size < MOST_NAMED && Object.hasOwn(attributes, name)) fresh.add(name)
    }
  }

  /** Yields the reasons why records of a source are rejected, and notes on others. `rejected` is the number of records. */
  *changes(columns: SeenColumns, where: string, rejected: number) {
    for (const [type, { there, fresh }] of columns) {
      const { properties, required = [], additionalProperties } = this.#schemas.get(type) ?? {}
      const gone = Object.keys(properties as JsonObject).filter((name) => !there.has(name))
      const needed = gone.filter((name) => [required].flat().includes(name))
      const names = [...fresh].join(', ') + (fresh.size === MOST_NAMED ? ', …' : '')
      if (rejected > 0 && (needed.length > 0 || (additionalProperties === false && names !== ''))) {
        const words = [
          ...needed.map((name) => `${name} is gone`),
          ...[...fresh].map((name) => `${name} is new`),
        ]
        const advice = `the file and the schema of ${type} must have the same names`
        yield ['columns', `${where}: ${words.join(', ')}; ${advice}`] as const
      } else if (names !== '') {
        const why = `the schema of ${type} lacks ${names}: served, but not queryable until its properties name it`
        const without = gone.length === 0 ? '' : `. If a column was renamed: no record has ${gone.join(', ')}`
        yield ['notes', `${where}: ${why}${without}`] as const
      }
    }
  }
}

function namesAll(schema: JsonObject | undefined): schema is JsonObject {
  if (!isObject(schema?.['properties']) || isObject(schema['additionalProperties'])) return false
  return !ELSEWHERE.some((name) => Object.hasOwn(schema, name))
}
