/** Position in the words of a question about one type, and what the next words are. */
import { fold, QUESTION_WORDS, type QuestionWord, SUPERLATIVES, VERBS } from '@worldwright/search/lexicon'
import type { Askable } from '../question/askable.ts'
import { measuresOf } from '../question/measures.ts'
import type { TypeProfile } from '../world/world-profile.ts'
import { type Span, yearsFrom } from './ranges.ts'
import type { Found, SchemaWords, Valued, Word } from './schema-words.ts'

/** The type that a question is about, and the words that name it. There are none if other words imply the type. */
export interface Head {
  readonly type: TypeProfile
  readonly from: number
  readonly length: number
}

/** Superlative of the lexicon, with its words. */
export type Superlative = (typeof SUPERLATIVES)[number]

const BY_WORD = new Map(SUPERLATIVES.flatMap((one) => one.words.map((word) => [fold(word), one] as const)))
const BY_COMPARATIVE = new Map(
  SUPERLATIVES.flatMap((one) => one.comparatives.map((word) => [fold(word), one] as const)),
)
/** Maximum number of words of a phrase with a role. */
const LONGEST_ROLE = 4

/** Returns the role of the longest phrase at a position. */
export function roleAt(words: readonly Word[], at: number): { role?: QuestionWord; length: number } {
  for (let length = Math.min(LONGEST_ROLE, words.length - at); length > 0; length--) {
    const folded = words.slice(at, at + length).map((word) => word.folded)
    const role = QUESTION_WORDS.get(folded.join(' '))
    if (role !== undefined) return { role, length }
  }
  return { length: 0 }
}

/** Returns the superlative that a word is. */
export function superlativeOf(word: Word | undefined): Superlative | undefined {
  const folded = word?.folded ?? ''
  return BY_WORD.get(/^(?:last|zuletzt)$/.test(folded) ? 'newest' : folded)
}

/** Returns the key by which a type declares a superlative or its opposite in `x-display`. */
export function rankOf({ schema }: TypeProfile, ...names: readonly string[]): unknown {
  const rank = Object(Object(Object(schema)['x-display'])['rank'])
  return rank[names.find((name) => Object.hasOwn(rank, name)) ?? '']
}

/** Position in the words of a question. */
export class Cursor {
  readonly words: readonly Word[]
  readonly head: Head
  readonly schemas: SchemaWords
  readonly askables: readonly Askable[]
  at = 0

  constructor(words: readonly Word[], head: Head, schemas: SchemaWords) {
    this.words = words
    this.head = head
    this.schemas = schemas
    this.askables = schemas.of(head.type).askables
  }

  get word(): Word | undefined {
    return this.words[this.at]
  }

  /** Moves on. */
  take(length: number): true {
    this.at += length
    return true
  }

  isHead(at: number): boolean {
    return this.head.length > 0 && at === this.head.from
  }

  roleAt(at = this.at) {
    return roleAt(this.words, at)
  }

  /** Moves on to the next word that says something, or to the words of the type. */
  skipFillers(): void {
    while (!this.isHead(this.at) && this.roleAt().role === 'filler') this.at += this.roleAt().length
  }

  /** Returns the superlative to which the next words compare, such as `larger than`. */
  comparative(): Superlative | undefined {
    const isOne = /^(?:than|als)$/.test(this.words[this.at + 1]?.folded ?? '')
    return isOne ? BY_COMPARATIVE.get(this.word?.folded ?? '') : undefined
  }

  /** True if the question asks who or what has most, as in `which agency flew the most missions`. */
  get asksMost(): boolean {
    const { role = '' } = this.head.length > 0 ? this.roleAt(this.head.from - 1) : {}
    return role === 'greatest' || role === 'fewest'
  }

  /** Returns the properties that the next words name, if they do not reach into the words of the type. */
  attribute(): Found<Askable> | undefined {
    const { from, length } = this.head
    const end = length > 0 && from >= this.at ? from : this.words.length
    const found = this.schemas.attributesAt(this.head.type, this.words.slice(0, end), this.at)
    // “After” is no short form of “Named after”.
    return found !== undefined && found.length > this.roleAt().length ? found : undefined
  }

  /** Returns the years at a position, or after words such as `the year`, and the position behind them. */
  years(at = this.at): { years: Span; end: number } | undefined {
    let end = at
    const isBefore = () =>
      this.roleAt(end).role === 'filler' || /^(?:year|jahr|jahren)$/.test(this.words[end]?.folded ?? '')
    while (end < this.words.length && !this.isHead(end) && isBefore()) end += 1
    const years = yearsFrom(this.words[end])
    return years && { years, end: end + 1 }
  }

  /** Returns where a name that begins here may end, the farthest first: before a word with a role. */
  ends(): number[] {
    const ends = new Set<number>()
    for (let end = this.at; ; end++) {
      const { role } = this.roleAt(end)
      const isKnown = superlativeOf(this.words[end]) !== undefined || VERBS.has(this.words[end]?.folded ?? '')
      const isLast = end >= this.words.length || this.isHead(end) || isKnown || (role && role !== 'filler')
      const isValue = this.schemas.valuesAt(this.head.type, this.words, end) !== undefined
      if (end > this.at && (isLast || isValue || role === 'filler')) ends.add(end)
      if (isLast) return [...ends].reverse()
    }
  }

  /** Reports whether a value is typed letter by letter, rather than with another ending. */
  isTyped({ found, length }: Found<Valued>): boolean {
    const typed = fold(this.textTo(this.at + length))
    return found.every(([, value]) => fold(value) === typed)
  }

  /** Returns those of some properties that are counts, as `Ratings count` is of ratings but `Average rating` is not. */
  countOf(named: Found<Askable> | undefined): Found<Askable> | undefined {
    const forms = [`${this.word?.term} count`, `number of ${this.word?.term}`]
    const { labels } = this.schemas.of(this.head.type)
    const counts = this.askables.filter((one) => labels.get(one)?.some((label) => forms.includes(label)))
    if (counts.length > 0) return { found: counts, length: 1 }
    return named?.found.every((one) => measuresOf([one]).some(({ isWhole }) => isWhole)) ? named : undefined
  }

  /** Returns the words up to a position, as typed. */
  textTo(end: number): string {
    return this.words
      .slice(this.at, end)
      .map(({ raw }) => raw)
      .join(' ')
  }
}
