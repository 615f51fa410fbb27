/** Batches: small enough for a small heap, and for other work to have its turn soon. */

/** Maximum number of items in a batch. */
export const BATCH = 1_000

/** Characters after which a batch is full; a longer item goes alone. */
const BATCH_CHARACTERS = 4_000_000

/** Returns the first of `all` that make a batch, by number and by length of texts; empty if there are none. */
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
