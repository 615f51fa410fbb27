/**
 * Types of a world's entities and actions, as declared by the files that `npx worldwright types` generates.
 */
import type { Entity, JsonObject, JsonValue } from './protocol.ts'

/** Types of one world: attributes by entity type, and `{ input, output }` by action name. */
export interface WorldTypes {
  entities: object
  actions: object
}

/** Types of a world that is not known in advance: any name and any JSON. */
export interface AnyTypes {
  entities: Record<string, JsonObject>
  actions: Record<string, { input: object; output: JsonValue }>
}

/** String keys of a map such as `WorldTypes['entities']`. */
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

/** Any entity of a world whose type is among `T`. */
export type EntityOf<
  Types extends WorldTypes,
  T extends Name<Types['entities']> = Name<Types['entities']>,
> = {
  [N in T]: Entity<N, Types['entities'][N]>
}[T]
