/**
 * Types of one world's entities and actions, as the files that `npx worldwright types` writes declare them.
 */
import type { Entity, JsonObject, JsonValue } from './protocol.ts'

/** Types of one world: attributes by entity type, `{ input, output }` by action name. */
export interface WorldTypes {
  entities: object
  actions: object
}

/** A world about which nothing is known beforehand: any name, any JSON. */
export interface AnyTypes {
  entities: Record<string, JsonObject>
  actions: Record<string, { input: object; output: JsonValue }>
}

/** The names in a map of `WorldTypes`. */
export type Name<Map> = string & keyof Map

/** Input of an action of a world. */
export type InputOf<
  Types extends WorldTypes,
  N extends Name<Types['actions']>,
> = Types['actions'][N] extends { input: infer Input } ? Input : object

/** Output of an action of a world. */
export type OutputOf<
  Types extends WorldTypes,
  N extends Name<Types['actions']>,
> = Types['actions'][N] extends { output: infer Output } ? Output : JsonValue

/** Any entity of a world. */
export type EntityOf<Types extends WorldTypes> = {
  [T in Name<Types['entities']>]: Entity<T, Types['entities'][T]>
}[Name<Types['entities']>]
