/** Entities as they were stored, in an answer. */
import type { StoredEntity } from '../storage/contract.ts'

/** A JSON array of them, spliced: parsing them only to write them again would be most of the work. */
export function entitiesJson(entities: readonly StoredEntity[]): string {
  return `[${entities.map((entity) => entity.json).join(',')}]`
}
