/** How near entities are to a text by what they mean: the port between searches and whatever knows vectors. */
import type { StoredEntity } from '@worldwright/core/store'

/** An entity as it was when it was found. */
export type FoundEntity = Pick<StoredEntity, 'type' | 'id' | 'revision'>

/** What compares a text with entities. */
export interface Meaning {
  /**
   * The similarity of each entity to the text, −1 to 1, in their order; undefined for one of which, as it is, no vector is known.
   * Undefined as a whole where there was not enough time, or there is no model. Never fails.
   */
  similarities(
    text: string,
    entities: readonly FoundEntity[],
    budgetMs: number,
  ): Promise<readonly (number | undefined)[] | undefined>
}
