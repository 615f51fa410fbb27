/** Queryable properties of a world's types, cached by type description. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { OwnPath } from '@worldwright/core/store'
import {
  ANY_TYPE,
  type Askable,
  type AskableProperties,
  askableProperties,
  MEMBER_PROPERTIES,
  merged,
} from './askable.ts'
import {
  keyOfPath,
  type PropertyName,
  pathFromProperty,
  propertyFromPath,
  shownPath,
} from './property-path.ts'

const known = new WeakMap<EntityTypeDescription, AskableProperties>()

/** Returns the queryable properties in a type's attributes. The same description always gives the same object. */
export function propertiesOf(type: EntityTypeDescription): AskableProperties {
  const properties = known.get(type) ?? askableProperties(type)
  known.set(type, properties)
  return properties
}

/** Reason for which a path cannot continue through a reference, and the properties there. */
export interface DeadEnd {
  readonly message: string
  readonly names?: PropertyName[]
}

/** Properties that a query may name: those of every entity, those of any queried type, and those of referenced entities. */
export class KnownProperties {
  /** Types to which `through` has followed references, including `ANY_TYPE` for any. */
  readonly followed = new Set<string>()
  readonly #types: readonly AskableProperties[]
  readonly #world: readonly EntityTypeDescription[]

  /** @param world types of all entities to which paths may lead. Default: none, so that no path continues */
  constructor(types: readonly EntityTypeDescription[], world: readonly EntityTypeDescription[] = []) {
    this.#types = [MEMBER_PROPERTIES, ...types.map(propertiesOf)]
    this.#world = world
  }

  /** Returns the description of a property, merged over all types, or undefined if no type has it. */
  get(path: OwnPath): Askable<OwnPath> | undefined {
    const key = keyOfPath(path)
    const found = this.#types.map((properties) => properties.get(key)).filter((one) => one !== undefined)
    return found.length === 0 ? undefined : found.reduce(merged)
  }

  /** Returns the description of a property of referenced entities. Undefined if no beginning of the path is a reference. */
  through(path: OwnPath): Askable | DeadEnd | undefined {
    if (typeof path === 'string' || this.#world.length === 0) return undefined
    const [first, ...others] = path
    for (let length = 0; length < others.length; length++) {
      const reference = this.get([first, ...others.slice(0, length)])
      if (reference && reference.refersTo.size + reference.idsOf.size > 0)
        return this.#behind(reference, others.slice(length))
    }
    return undefined
  }

  #behind(reference: Askable<OwnPath>, names: readonly string[]): Askable | DeadEnd {
    const { path, refersTo, idsOf, isList } = reference
    const [texts, ...more] = idsOf
    if (typeof path === 'string' || more.length > 0)
      return {
        message: `${shownPath(path)} holds ids of different types in the queried types: query one type`,
      }
    const isAny = refersTo.has(ANY_TYPE)
    const types = refersTo.union(idsOf)
    for (const type of types) this.followed.add(type)
    const targets = this.#world.filter(({ type }) => isAny || types.has(type))
    const behind = new KnownProperties(targets, this.#world)
    const property = pathFromProperty([...names]) ?? 'attributes'
    const found = behind.get(property)
    if (!found && behind.through(property))
      return {
        message: `a path continues through one reference, here ${shownPath(path)}, and not through a second one`,
      }
    if (!found) {
      const named = isAny ? '' : ` (${[...types].join(', ')})`
      const message = `the entities that ${shownPath(path)} refers to${named} have no queryable property ${names.join('.')}; details.properties lists theirs`
      return {
        message,
        names: behind.#paths().map((one) => propertyFromPath({ reference: path, property: one })),
      }
    }
    const joined = {
      ...{ reference: path, property: found.path },
      ...(!isAny && { types: [...refersTo] }),
      ...(texts !== undefined && { texts }),
    }
    return { ...found, path: joined, isList: isList || found.isList }
  }

  /** Returns all property names without duplicates, in the input's notation. */
  names(): PropertyName[] {
    return this.#paths().map(propertyFromPath)
  }

  #paths(): OwnPath[] {
    const paths = new Map<string, OwnPath>()
    for (const properties of this.#types) for (const [key, { path }] of properties) paths.set(key, path)
    return [...paths.values()]
  }
}
