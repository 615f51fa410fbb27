/** Interface between search and a model that measures the similarity of entities to a text. */
import type { StoredEntity } from '@worldwright/core/store'

/** An entity's key, and its revision at the time it was found. */
export type FoundEntity = Pick<StoredEntity, 'type' | 'id' | 'revision'>

/** Compares a text with entities by meaning. */
export interface Meaning {
  /**
   * Returns the similarity of each entity to the text, from −1 to 1, in the order of `entities`; undefined for an entity
   * without a current vector. Returns undefined instead of an array if time runs out or there is no model. Never rejects.
   */
  similarities(
    text: string,
    entities: readonly FoundEntity[],
    budgetMs: number,
  ): Promise<readonly (number | undefined)[] | undefined>
}
