/** Superlatives that a type may declare, with the words for them in English and German. */

/** A superlative and its words in queries. */
export interface Superlative {
  /** Name in `display.rank` of a type. */
  readonly name: string
  /** Name of the superlative for the reverse order. */
  readonly opposite: string
  /** Set if it stands for the entities with the greatest values. */
  readonly descending: boolean
  readonly words: readonly string[]
  /** Comparatives that belong to the words, such as `larger` and `größer`. */
  readonly comparatives: readonly string[]
}

/** Pairs of superlatives, first the one for the greatest values. A German word is given without its ending after `-ste`. */
const PAIRS = [
  ['largest biggest greatest größte', 'smallest tiniest littlest kleinste'],
  ['newest latest youngest recent neueste jüngste', 'oldest earliest älteste früheste'],
  ['farthest furthest entfernteste fernste', 'nearest closest nächste'],
  ['highest tallest höchste', 'lowest niedrigste tiefstgelegene'],
  ['longest längste', 'shortest kürzeste'],
  ['heaviest schwerste', 'lightest leichteste'],
  ['fastest quickest schnellste', 'slowest langsamste'],
  ['hottest warmest heißeste wärmste', 'coldest kälteste'],
  ['brightest hellste', 'faintest dimmest dunkelste'],
  ['deepest tiefste', 'shallowest flachste'],
  ['best beste', 'worst schlechteste'],
] as const

/** Comparatives that the endings do not give. */
const IRREGULAR: Readonly<Record<string, string>> = {
  best: 'better',
  worst: 'worse',
  beste: 'besser',
  höchste: 'höher',
  nächste: 'näher',
}

/** Superlatives that a type may declare. */
export const SUPERLATIVES: readonly Superlative[] = PAIRS.flatMap(([greatest, least]) => [
  superlative(greatest, least, true),
  superlative(least, greatest, false),
])

function superlative(text: string, other: string, descending: boolean): Superlative {
  const [words, [opposite = '']] = [text.split(' '), other.split(' ')]
  const forms = words.flatMap((word) =>
    word.endsWith('te') ? ['', 'n', 'r', 's', 'm'].map((end) => word + end) : word,
  )
  const comparatives = words.map((word) => IRREGULAR[word] ?? word.replace(/est$|e?ste$|te$/, 'er'))
  return { name: words[0] ?? '', opposite, descending, words: forms, comparatives }
}
