/** Similarity of entities to a text by meaning: the port between search and a source of vectors. */
import type { StoredEntity } from '@worldwright/core/store'

/** An entity's key and its revision when it was found. */
export type FoundEntity = Pick<StoredEntity, 'type' | 'id' | 'revision'>

/** Compares a text with entities by meaning. */
export interface Meaning {
  /**
   * Returns the similarity of each entity to the text, −1 to 1, in the given order; undefined for an entity whose revision has
   * no vector. Returns undefined as a whole if time runs out or there is no model. Never fails.
   */
  similarities(
    text: string,
    entities: readonly FoundEntity[],
    budgetMs: number,
  ): Promise<readonly (number | undefined)[] | undefined>
}
