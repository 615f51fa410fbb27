/** The order of hits by words and by meaning together. */

/** What one hit is worth: undefined if its meaning is not known, or it is to stay. */
type Similarity = number | undefined

/**
 * How much the first places count against later ones. With 60, which is what others use for joining two orders, a first place in
 * one of them weighs as much as two places near the thirtieth.
 */
const DAMPING = 60

/**
 * Puts hits in the order of both: each gets 1 / (60 + its place) of the words' order and of that of similarities (reciprocal rank
 * fusion). Hits without a similarity keep their places, the others share theirs. The given order is by words, best first.
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
