/** Descriptions of route methods, given where a route is created, for the OpenAPI description of the world. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { ErrorCode } from '../world/errors.ts'

/**
 * One method of one route. Schemas are JSON Schema (2020-12); they may refer to `Entity`, `EntityPage`, `EntityWrite`,
 * `ActionCall` and `ActionResult` of the components, which stand for those of the type or action in the path.
 */
export interface Operation {
  /** Unique among all operations; for a route with a type or an action in its path, the beginning of a unique id. */
  readonly id: string
  readonly summary: string
  /** Query and header parameters, as OpenAPI writes them. Path parameters follow from the pattern. */
  readonly parameters?: readonly JsonObject[]
  /** The request's body by media type. Absent: the request has none. */
  readonly body?: Readonly<Record<string, JsonObject>>
  /** Successful responses, by status. */
  readonly answers: Readonly<Record<number, Answer>>
  /** Codes of its own errors, besides those of any request; a function takes the type or action in the path. */
  readonly errors: readonly ErrorCode[] | ((name: string) => readonly ErrorCode[])
  /** Needs a token in every world. */
  readonly needsToken?: true
}

/** A successful response: its description, and its body by media type. */
export interface Answer {
  readonly description: string
  /** By media type; absent for answers without a body. */
  readonly content?: Readonly<Record<string, JsonObject>>
}

/** Placeholder for all codes that an action defines itself. */
export const OWN_CODES = 'prefix:name' satisfies ErrorCode

/** Returns a reference to a schema of the components. */
export function component(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** Returns a query parameter whose values match `schema`. */
export function queryParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'query', description, schema }
}
