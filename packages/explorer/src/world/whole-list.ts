/** Reads a whole list for a download. */
import type { Entity, EntityList } from '@worldwright/client'

/** Maximum entities of a download, and maximum characters of their JSON: both are held in memory until the file is written. */
export const MOST_TAKEN = 100_000
const MOST_CHARACTERS = 200_000_000

/**
 * Reads pages to their end, or to the limits: `isCut` if there is more. `onRead` takes the number read so far.
 * Rejects as the pages do.
 */
export async function readWhole(
  pages: AsyncIterable<EntityList>,
  onRead: (count: number) => void,
): Promise<{ entities: readonly Entity[]; isCut: boolean }> {
  const entities: Entity[] = []
  let characters = 0
  for await (const page of pages) {
    entities.push(...page.entities)
    characters += JSON.stringify(page.entities).length
    onRead(Math.min(entities.length, MOST_TAKEN))
    if (entities.length > MOST_TAKEN || characters > MOST_CHARACTERS)
      return { entities: entities.slice(0, MOST_TAKEN), isCut: true }
  }
  return { entities, isCut: false }
}
