/** What can be asked of the types of one world, found out once as long as the types stay the same. */
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

/** What can be asked of the attributes of a type; the same object for the same description. */
export function propertiesOf(type: EntityTypeDescription): AskableProperties {
  let properties = known.get(type)
  if (properties === undefined) {
    properties = askableProperties(type)
    known.set(type, properties)
  }
  return properties
}

/** The properties that one question may name: those of any type that it asks. */
export class KnownProperties {
  readonly #types: readonly AskableProperties[]

  constructor(types: readonly EntityTypeDescription[]) {
    this.#types = [MEMBER_PROPERTIES, ...types.map(propertiesOf)]
  }

  /** What is known of a property in all those types together; undefined if none has it. */
  get(path: PropertyPath): Askable | undefined {
    const key = keyOfPath(path)
    const found = this.#types.map((properties) => properties.get(key)).filter((one) => one !== undefined)
    return found.length === 0 ? undefined : found.reduce(merged)
  }

  /** All of them, each once, as `property` takes them. */
  names(): PropertyName[] {
    const paths = new Map<string, PropertyPath>()
    for (const properties of this.#types) for (const [key, { path }] of properties) paths.set(key, path)
    return [...paths.values()].map(propertyFromPath)
  }
}
