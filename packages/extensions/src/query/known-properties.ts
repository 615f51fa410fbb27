/** Properties that can be queried in the types of one world, computed once per type description. */
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

/** Returns the properties that can be queried in the attributes of a type; the same object for the same description. */
export function propertiesOf(type: EntityTypeDescription): AskableProperties {
  let properties = known.get(type)
  if (properties === undefined) {
    properties = askableProperties(type)
    known.set(type, properties)
  }
  return properties
}

/** The properties that one query may name: those of any of its types. */
export class KnownProperties {
  readonly #types: readonly AskableProperties[]

  constructor(types: readonly EntityTypeDescription[]) {
    this.#types = [MEMBER_PROPERTIES, ...types.map(propertiesOf)]
  }

  /** Returns the merged description of a property over all those types; undefined if none has it. */
  get(path: PropertyPath): Askable | undefined {
    const key = keyOfPath(path)
    const found = this.#types.map((properties) => properties.get(key)).filter((one) => one !== undefined)
    return found.length === 0 ? undefined : found.reduce(merged)
  }

  /** Returns all of them, without duplicates, spelt like `property` in the input. */
  names(): PropertyName[] {
    const paths = new Map<string, PropertyPath>()
    for (const properties of this.#types) for (const [key, { path }] of properties) paths.set(key, path)
    return [...paths.values()].map(propertyFromPath)
  }
}
