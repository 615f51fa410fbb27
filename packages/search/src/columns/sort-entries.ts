/** Maximum ratio of documents to entries for which a counting sort is used. */
const MOST_COUNTED = 16

/** Sorts entries by document and then by ordinal, removes duplicates, and returns the number of remaining entries. */
export function sortEntries(owners: Uint32Array, ordinals: Uint32Array, count: number): number {
  const documents = owners.reduce((most, owner) => Math.max(most, owner), 0) + 1
  if (documents <= count * MOST_COUNTED) return countingSort(owners, ordinals, count, documents)
  // Document and ordinal fit into one 53-bit integer: there are only a few million entries, and no more values.
  const values = ordinals.reduce((most, ordinal) => Math.max(most, ordinal), 0) + 1
  const keys = new Float64Array(count)
  for (let at = 0; at < count; at++) keys[at] = (owners[at] as number) * values + (ordinals[at] as number)
  keys.sort()
  let kept = 0
  for (let at = 0; at < count; at++) {
    const key = keys[at] as number
    if (at > 0 && key === keys[at - 1]) continue
    const owner = Math.floor(key / values)
    owners[kept] = owner
    ordinals[kept++] = key - owner * values
  }
  return kept
}

function countingSort(owners: Uint32Array, ordinals: Uint32Array, count: number, documents: number): number {
  const ends = new Uint32Array(documents)
  for (let at = 0; at < count; at++) (ends[owners[at] as number] as number)++
  for (let at = 1; at < documents; at++) (ends[at] as number) += ends[at - 1] as number
  const placed = new Uint32Array(count)
  for (let at = count - 1; at >= 0; at--)
    placed[--(ends[owners[at] as number] as number)] = ordinals[at] as number
  // Each element of `ends` is now the start of its document's entries.
  let kept = 0
  for (let owner = 0; owner < documents; owner++) {
    const start = ends[owner] as number
    const end = ends[owner + 1] ?? count
    if (!isAscending(placed, start, end)) placed.subarray(start, end).sort()
    for (let at = start; at < end; at++) {
      if (at > start && placed[at] === placed[at - 1]) continue
      owners[kept] = owner
      ordinals[kept++] = placed[at] as number
    }
  }
  return kept
}

function isAscending(numbers: Uint32Array, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++)
    if ((numbers[at] as number) < (numbers[at - 1] as number)) return false
  return true
}
