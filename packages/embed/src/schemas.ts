/** Schemas of types and actions: JSON Schema, or a schema of any library that implements Standard Schema. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { type JsonObject, type JsonValue, pointerTo } from '@worldwright/client/protocol'
import type { RecordFault } from '@worldwright/entities'

/** Schema of a library such as Zod, Valibot or ArkType, which validates values and can be converted to JSON Schema. */
export interface LibrarySchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaV1.Props<Input, Output> &
    Partial<StandardJSONSchemaV1.Props<Input, Output>>
}

/** JSON Schema (2020-12), or a schema of a library. */
export type Schema = JsonSchema | LibrarySchema

/** JSON Schema that may be declared `as const`, so that types can be inferred from it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** Value that a schema describes, as given to it (`input`) or as its library returns it (`output`). */
export type Described<S, Side extends 'input' | 'output'> = S extends {
  readonly '~standard': { readonly types?: infer Types | undefined }
}
  ? NonNullable<Types>[Side & keyof NonNullable<Types>]
  : S extends JsonSchema
    ? FromJsonSchema<S, Side extends 'input' ? Given : Json>
    : unknown

/** Object that a schema describes, with any members if the schema does not tell them. */
export type DescribedObject<S, Side extends 'input' | 'output'> =
  JsonValue extends Described<S, Side> ? JsonObject : Described<S, Side>

/**
 * Value that a JSON Schema describes, by the keywords const, enum, type, items, properties and required. `Open` has the types
 * of values that it does not describe further.
 */
type FromJsonSchema<S, Open extends Given> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly type: 'array'; readonly items: infer Item }
      ? FromJsonSchema<Item, Open>[]
      : S extends { readonly type: 'object'; readonly properties: infer Members }
        ? ObjectOf<Members, S extends { readonly required: readonly (infer Name)[] } ? Name : never, Open>
        : S extends { readonly type: infer Names extends keyof Simple | readonly (keyof Simple)[] }
          ? (Simple & Open)[Names extends readonly (infer Name extends keyof Simple)[]
              ? Name
              : Names & keyof Simple]
          : Open['any']

interface Simple {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
  object: unknown
  array: unknown
}

/** Values to be validated, which may have the types of interfaces. */
interface Given {
  object: object
  array: readonly unknown[]
  any: unknown
}

/** Values read from JSON. */
interface Json {
  object: JsonObject
  array: JsonValue[]
  any: JsonValue
}

type ObjectOf<Members, Required, Open extends Given> = {
  -readonly [Name in keyof Members as Name extends Required ? Name : never]: FromJsonSchema<
    Members[Name],
    Open
  >
} & {
  -readonly [Name in keyof Members as Name extends Required ? never : Name]?: FromJsonSchema<
    Members[Name],
    Open
  >
}

/**
 * Returns the JSON Schema of values as received (`input`) or as returned by the library (`output`).
 * @throws TypeError that names `owner` if the library provides none
 */
export function jsonSchemaOf(schema: Schema, side: 'input' | 'output', owner: string): JsonObject {
  if (!isLibrarySchema(schema)) return schema as JsonObject
  const { jsonSchema, vendor } = schema['~standard']
  try {
    if (jsonSchema) return jsonSchema[side]({ target: 'draft-2020-12' }) as JsonObject
  } catch (cause) {
    throw new TypeError(`The schema of ${owner} has no JSON Schema: ${(cause as Error).message}`, { cause })
  }
  throw new TypeError(
    `The schema of ${owner} has no JSON Schema: ${vendor} needs a converter, such as toStandardJsonSchema for Valibot.`,
  )
}

/** Value that a library accepted, or its faults. A schema without a library accepts any value. */
export type Accepted = { readonly value: unknown } | { readonly faults: readonly RecordFault[] }

/** Validates a value by the library of its schema, beyond what its JSON Schema can express. */
export function acceptedBy(schema: Schema, value: unknown): Accepted | Promise<Accepted> {
  if (!isLibrarySchema(schema)) return { value }
  const result = schema['~standard'].validate(value)
  return result instanceof Promise ? result.then(acceptedFrom) : acceptedFrom(result)
}

function acceptedFrom(result: StandardSchemaV1.Result<unknown>): Accepted {
  if (!result.issues) return { value: result.value }
  return {
    faults: result.issues.map(({ message, path = [] }) => ({
      pointer: path.reduce<string>((parent, step) => pointerTo(parent, stepOf(step)), ''),
      reason: 'not_allowed',
      message,
    })),
  }
}

function stepOf(step: PropertyKey | StandardSchemaV1.PathSegment): string {
  return String(typeof step === 'object' ? step.key : step)
}

function isLibrarySchema(schema: Schema): schema is LibrarySchema {
  return '~standard' in schema
}
