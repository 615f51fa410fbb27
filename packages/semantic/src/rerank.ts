/** Combines the text ranking of hits with a ranking by meaning. */

/** Similarity of a hit; undefined if it has no vector or must keep its rank. */
type Similarity = number | undefined

/**
 * Damping constant of reciprocal rank fusion. A smaller value gives more weight to the first ranks. With 60, the usual
 * value, a hit at rank 1 in one ranking and about 100 in the other scores like a hit near rank 30 in both.
 */
const DAMPING = 60

/**
 * Orders hits by reciprocal rank fusion: a hit scores 1 / (60 + rank) for its text rank plus the same for its rank by
 * similarity. Hits without a similarity keep their ranks. `hits` must be in text ranking order, best first.
 */
export function reranked<Hit>(hits: readonly Hit[], similarities: readonly Similarity[]): Hit[] {
  const places = hits
    .keys()
    .filter((at) => similarities[at] !== undefined)
    .toArray()
  const byMeaning = places.toSorted(
    (left, right) => (similarities[right] as number) - (similarities[left] as number) || left - right,
  )
  const worth = new Map(places.map((place, rank) => [place, 1 / (DAMPING + rank)]))
  for (const [rank, place] of byMeaning.entries())
    worth.set(place, (worth.get(place) as number) + 1 / (DAMPING + rank))
  const order = places.toSorted(
    (left, right) => (worth.get(right) as number) - (worth.get(left) as number) || left - right,
  )
  const result = [...hits]
  for (const [at, place] of places.entries()) result[place] = hits[order[at] as number] as Hit
  return result
}
