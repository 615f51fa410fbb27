/** Queryable properties of a world's types, cached by type description. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { PropertyPath } from '@worldwright/core/store'
import {
  type Askable,
  type AskableProperties,
  askableProperties,
  MEMBER_PROPERTIES,
  merged,
} from './askable.ts'
import { keyOfPath, type PropertyName, propertyFromPath } from './property-path.ts'

const known = new WeakMap<EntityTypeDescription, AskableProperties>()

/** Returns the queryable properties in a type's attributes. The same description always gives the same object. */
export function propertiesOf(type: EntityTypeDescription): AskableProperties {
  let properties = known.get(type)
  if (properties === undefined) {
    properties = askableProperties(type)
    known.set(type, properties)
  }
  return properties
}

/** Properties that a query may name: those of every entity, and those of any queried type. */
export class KnownProperties {
  readonly #types: readonly AskableProperties[]

  constructor(types: readonly EntityTypeDescription[]) {
    this.#types = [MEMBER_PROPERTIES, ...types.map(propertiesOf)]
  }

  /** Returns the description of a property, merged over all types, or undefined if no type has it. */
  get(path: PropertyPath): Askable | undefined {
    const key = keyOfPath(path)
    const found = this.#types.map((properties) => properties.get(key)).filter((one) => one !== undefined)
    return found.length === 0 ? undefined : found.reduce(merged)
  }

  /** Returns all property names without duplicates, in the input's notation. */
  names(): PropertyName[] {
    const paths = new Map<string, PropertyPath>()
    for (const properties of this.#types) for (const [key, { path }] of properties) paths.set(key, path)
    return [...paths.values()].map(propertyFromPath)
  }
}
