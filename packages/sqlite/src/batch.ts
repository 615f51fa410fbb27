/** How much is taken at a time: little enough for a small heap, and for others to have their turn soon. */

/** How many make a batch at most. */
export const BATCH = 1_000

/** Characters after which a batch takes nothing more; one that is longer goes alone. */
const BATCH_CHARACTERS = 4_000_000

/** The first of `all` that make a batch, by their number and the length of their texts; empty if there are none. */
export function batchOf<T>(
  all: Iterable<T>,
  textsOf: (one: T) => readonly (string | null | undefined)[],
): T[] {
  const batch: T[] = []
  let characters = 0
  for (const one of all) {
    batch.push(one)
    for (const text of textsOf(one)) characters += text?.length ?? 0
    if (batch.length === BATCH || characters >= BATCH_CHARACTERS) break
  }
  return batch
}
