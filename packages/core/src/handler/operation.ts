/** Descriptions of route methods, from which the OpenAPI description of the world is built. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { ErrorCode } from '../world/errors.ts'

/**
 * One method of one route. Schemas are JSON Schema (2020-12). The component schemas `Entity`, `EntityPage`, `EntityWrite`,
 * `ActionCall` and `ActionResult` stand for the schemas of the type or action in the path.
 */
export interface Operation {
  /** Unique operation id, or its prefix if the path contains a type or an action. */
  readonly id: string
  readonly summary: string
  /** Query and header parameters in OpenAPI form, without those of the path. A function receives the type or action. */
  readonly parameters?: readonly JsonObject[] | ((name: string) => readonly JsonObject[])
  /** Request body by media type. Absent if the request has no body. */
  readonly body?: Readonly<Record<string, JsonObject>>
  /** Successful responses, by status. A function receives the type or action in the path. */
  readonly answers: Answers | ((name: string) => Answers)
  /** Error codes specific to the operation. A function receives the type or action in the path. */
  readonly errors: readonly ErrorCode[] | ((name: string) => readonly ErrorCode[])
  /** Set if the operation requires a token in every world. */
  readonly needsToken?: true
}

/** Successful responses of an operation, by status. */
export type Answers = Readonly<Record<number, Answer>>

/** A successful response: its description, and its body by media type. */
export interface Answer {
  readonly description: string
  /** Body by media type. Absent for responses without a body. */
  readonly content?: Readonly<Record<string, JsonObject>>
}

/** Placeholder for all codes that an action defines itself. */
export const OWN_CODES = 'prefix:name' satisfies ErrorCode

/** Returns a reference to a component schema. */
export function component(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** Returns the OpenAPI description of a query parameter. */
export function queryParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'query', description, schema }
}
