/** Values of referenced entities, as attributes of the entities of a page. */
import type { Entity, EntityRef, JsonValue } from '@worldwright/client/protocol'
import type { World } from '@worldwright/core'
import type { JoinedPath } from '@worldwright/core/store'
import { included, referenceKey, referencesAt } from './included.ts'
import { valuesAt } from './projection.ts'
import { shownPath } from './property-path.ts'

/** Property of referenced entities to return. */
export interface JoinedField {
  readonly path: JoinedPath
  /** True if the references or the values are a list. */
  readonly isList: boolean
}

/** Entities with the values of referenced entities among their attributes. */
export interface WithJoined {
  readonly entities: readonly Entity[]
  /** References to damaged entities, whose values are absent. */
  readonly damaged: readonly EntityRef[]
  /** True if values are absent because there are more references than may be followed. */
  readonly more: boolean
}

/**
 * Adds an attribute for each field, named by its path, to `shown`, the reduced form of the page. A property without a value
 * is absent.
 */
export async function withJoined(
  world: World,
  page: readonly Entity[],
  shown: readonly Entity[],
  fields: readonly JoinedField[],
  signal: AbortSignal,
): Promise<WithJoined> {
  const paths = fields.map(({ path }) => path)
  const { entities: others, damaged, more } = await included(world, page, paths, signal)
  const all = [...page, ...others.map(({ json }): Entity => JSON.parse(json))]
  const known = new Map(all.map((entity) => [referenceKey(entity), entity]))
  const entities = shown.map((entity, at): Entity => {
    const members = fields.flatMap(({ path, isList }): [string, JsonValue][] => {
      const values = referencesAt(page[at] as Entity, path).flatMap((reference) => {
        const target = known.get(referenceKey(reference))
        return target ? valuesOf(target, path) : []
      })
      const [only] = values
      if (only === undefined) return []
      return [[shownPath(path), isList || values.length > 1 ? values : only]]
    })
    return { ...entity, attributes: { ...entity.attributes, ...Object.fromEntries(members) } }
  })
  return { entities, damaged, more }
}

function valuesOf(entity: Entity, { property }: JoinedPath): JsonValue[] {
  const [object, names] =
    typeof property === 'string' ? [{ ...entity }, [property]] : [entity.attributes, property]
  return valuesAt(object, names).filter((value) => value !== null)
}
