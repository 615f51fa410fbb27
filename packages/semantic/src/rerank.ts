/** Combines two rankings of hits: by words and by meaning. */

/** Similarity of a hit; undefined if its vector is not known or the hit is to keep its rank. */
type Similarity = number | undefined

/**
 * Damping: the smaller, the more the first ranks outweigh later ones. With 60, the usual value for joining two rankings, a hit
 * that is first in one and about hundredth in the other equals one near the thirtieth rank in both.
 */
const DAMPING = 60

/**
 * Orders hits by both rankings: each scores 1 / (60 + rank) for its rank by words and for that by similarity (reciprocal rank
 * fusion). Hits without a similarity keep their ranks, the others share theirs. `hits` are ordered by words, best first.
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
