/** What a method of a route does, told where the route is made, for the OpenAPI description of the world. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { ErrorCode } from '../world/errors.ts'

/**
 * One method of one route. Schemas are JSON Schema (2020-12); they may refer to `Entity`, `EntityPage`, `EntityWrite`,
 * `ActionCall` and `ActionResult` of the components, which stand for those of the type or action in the path.
 */
export interface Operation {
  /** Unique among all operations; of a route with a type or an action in its path, the beginning of a unique id. */
  readonly id: string
  readonly summary: string
  /** Query and header parameters, as OpenAPI writes them. The path's own follow from its pattern. */
  readonly parameters?: readonly JsonObject[]
  /** The request's body by media type. Absent: it has none. */
  readonly body?: Readonly<Record<string, JsonObject>>
  /** What a success is answered with, by status. */
  readonly answers: Readonly<Record<number, Answer>>
  /** The codes of its own errors, beside those that any request may get; by the type or action in the path. */
  readonly errors: readonly ErrorCode[] | ((name: string) => readonly ErrorCode[])
  /** It needs a token whatever the world is. */
  readonly needsToken?: true
}

/** What one success is answered with: in words, and its body by media type. */
export interface Answer {
  readonly description: string
  /** By media type; absent for answers without a body. */
  readonly content?: Readonly<Record<string, JsonObject>>
}

/** Stands for all codes that an action has of its own, whatever they are. */
export const OWN_CODES = 'prefix:name' satisfies ErrorCode

/** A reference to a schema of the components. */
export function component(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` }
}

/** A parameter of the query; `schema` says what it may be. */
export function queryParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'query', description, schema }
}
