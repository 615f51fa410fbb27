/** Defines a world in one call, over your own data, with your own callers. */
export type {
  ActionDefinitions,
  ActionOptions,
  AttributesOf,
  Content,
  Context,
  DefinedWorld,
  Entities,
  KnownCaller,
  TypedEntity,
  TypeOptions,
  Types,
  WorkContext,
  WorldDefinition,
} from './define-world.ts'
export { defineWorld } from './define-world.ts'
export type { Described, DescribedObject, JsonSchema, LibrarySchema, Schema } from './schemas.ts'
