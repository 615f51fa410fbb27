/** Plain form of `read/cover.ts`: which words tell what a query is about, and how many of them a document needs. */
import type { QueryWord } from '../read/clauses.ts'

/** Returns the words that say what the query is about. `count` returns the number of documents that contain a term. */
export function tellingAmong(
  words: readonly QueryWord[],
  count: (term: string) => number,
  documents: number,
): readonly QueryWord[] {
  const some = words.filter(({ telling }) => telling)
  const rare = some.filter(({ terms: [term = ''] }) => count(term) <= Math.max(100, documents / 2))
  if (rare.length > 0) return rare
  return some.length > 0 ? some : words
}

/** Word of a query or name in it, with the boosts of its expansions and the impacts of the documents that contain one. */
export interface WeighedWord<Document> {
  readonly isTelling: boolean
  readonly cover: number
  readonly boosts: readonly number[]
  readonly weight: number
  readonly impacts: ReadonlyMap<Document, number>
}

/** Returns the words of a query with their covers. Words that tell nothing weigh little. */
export function weighedWords<Document>(
  words: readonly Omit<WeighedWord<Document>, 'cover'>[],
): WeighedWord<Document>[] {
  const telling = words.filter(({ isTelling }) => isTelling)
  const least = Math.min(...telling.map(({ weight }) => weight))
  const silent = words.length - telling.length
  return words.map((word) =>
    word.isTelling
      ? { ...word, cover: word.weight }
      : { ...word, cover: 0, weight: Math.ceil(Math.min(word.weight, least) / silent ** 2) },
  )
}

/** Returns the scores of the documents that hold enough of the telling words, and of the best one that holds any. */
export function scoresOfSome<Document>(
  words: readonly WeighedWord<Document>[],
  compare: (left: Document, right: Document) => number,
): Map<Document, number> {
  const scores = new Map<Document, number>()
  const covers = new Map<Document, number>()
  for (const { cover, weight, impacts } of words)
    for (const [document, impact] of impacts) {
      scores.set(document, (scores.get(document) ?? 0) + weight * impact)
      if (cover > 0) covers.set(document, (covers.get(document) ?? 0) + cover)
    }
  const need = needOf(
    words.filter(({ isTelling }) => isTelling),
    covers,
  )
  const toldOf = (document: Document) =>
    words.reduce(
      (sum, { cover, weight, impacts }) => sum + (cover > 0 ? weight * (impacts.get(document) ?? 0) : 0),
      0,
    )
  const told = new Map([...covers.keys()].map((document) => [document, toldOf(document)]))
  const [best] = [...told.keys()].sort(
    (one, two) => (told.get(two) ?? 0) - (told.get(one) ?? 0) || compare(one, two),
  )
  const found = [...covers].filter(([document, cover]) => document === best || cover >= need)
  return new Map(found.map(([document]) => [document, scores.get(document) ?? 0]))
}

/** Returns the cover that a document needs, from the telling words and the covers of all documents. */
function needOf(
  telling: readonly { readonly weight: number; readonly boosts: readonly number[] }[],
  covers: ReadonlyMap<unknown, number>,
): number {
  const all = telling.reduce((sum, { weight }) => sum + weight, 0)
  const isUnsure = telling.some(({ boosts }) => boosts.length > 0 && Math.max(...boosts) <= 0.5)
  const share =
    telling.length === 1 ? 1 : Math.max(0.25, Math.min(isUnsure ? 0.4 : 0.6, 2.4 / telling.length))
  return Math.min(all, share * Math.max(all / 3, ...covers.values()))
}
