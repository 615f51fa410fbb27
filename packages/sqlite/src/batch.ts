/** Batches small enough to fit in a small heap and to yield to other work often. */

/** Maximum number of items in a batch. */
export const BATCH = 1_000

/** Number of characters at which a batch ends. The item that reaches it is still included. */
const BATCH_CHARACTERS = 4_000_000

/** Returns the first items of `all`, up to the size limits of a batch, or an empty array if `all` is empty. */
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
