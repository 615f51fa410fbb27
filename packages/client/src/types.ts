/**
 * What a program may know about one world's entities and actions: the shape of the files `npx worldwright types` writes.
 */
import type { Entity, JsonObject, JsonValue } from './protocol.ts'

/** Types of one world: attributes by entity type, `{ input, output }` by action name. */
export interface WorldTypes {
  entities: object
  actions: object
}

/** A world nothing is known of beforehand: any name, any JSON. */
export interface AnyTypes {
  entities: Record<string, JsonObject>
  actions: Record<string, { input: object; output: JsonValue }>
}

/** The names in a map of `WorldTypes`. */
export type Name<Map> = string & keyof Map

/** What an action of a world takes. */
export type InputOf<
  Types extends WorldTypes,
  N extends Name<Types['actions']>,
> = Types['actions'][N] extends { input: infer Input } ? Input : object

/** What an action of a world gives. */
export type OutputOf<
  Types extends WorldTypes,
  N extends Name<Types['actions']>,
> = Types['actions'][N] extends { output: infer Output } ? Output : JsonValue

/** Any entity of a world. */
export type EntityOf<Types extends WorldTypes> = {
  [T in Name<Types['entities']>]: Entity<T, Types['entities'][T]>
}[Name<Types['entities']>]
