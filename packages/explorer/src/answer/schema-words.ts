/** Finds words of a question among the titles of a world's types and attributes, and among the values of enumerations. */

import { isObject, member, namedField } from '@worldwright/extensions/shown'
import { ENGLISH_NOUNS, fold, termOf, tokens } from '@worldwright/search/lexicon'
import { type Askable, askablesOf } from '../question/askable.ts'
import type { TypeProfile, WorldProfile } from '../world/world-profile.ts'

/** A word of a question: as typed, without punctuation around it; folded; and the stems by which it is compared. */
export interface Word {
  readonly raw: string
  readonly folded: string
  readonly term: string
}

/** Meaning of the most words at a position, and their number. */
export interface Found<T> {
  readonly found: readonly T[]
  readonly length: number
}

/** A value of an enumeration, with its property. */
export type Valued = readonly [Askable, string]

/** Queryable properties of a type, the stems of their labels and names, and enumerated values by their stems. */
export interface TypeWords {
  readonly askables: readonly Askable[]
  readonly labels: ReadonlyMap<Askable, readonly string[]>
  readonly values: ReadonlyMap<string, readonly Valued[]>
}

/** Maximum number of words in a title or value that is looked for. */
const MOST_WORDS = 5
/** Maximum numbers of types, properties of a type and values of an enumeration. Larger schemas are not read. */
const MOST_TYPES = 200
const MOST_PROPERTIES = 400
const MOST_VALUES = 200

/** Splits a question into words. */
export function wordsOf(text: string): Word[] {
  return text
    .split(/\s+/)
    .map((part) => part.replace(/^[^\p{L}\p{N}-]+|[^\p{L}\p{N}\p{M}%°]+$/gu, '').replace(/['’]s$/, ''))
    .filter((raw) => raw !== '')
    .map((raw) => ({ raw, folded: fold(raw), term: termsOf(raw) }))
}

/** Returns the stems of a text. Texts with equal stems are the same words. */
function termsOf(text: string): string {
  // “Ratings” are not of rats.
  return tokens(text)
    .map((token) => (/^[a-z]{3}ings?$/.test(token.text) ? token.text.replace(/s$/, '') : termOf(token)))
    .join(' ')
}

/** Words of a world's schemas. */
export class SchemaWords {
  /** All types of the world, or none if there are too many to be read. */
  readonly types: readonly TypeProfile[]
  readonly #profile: WorldProfile
  readonly #names: readonly ReadonlyMap<string, readonly TypeProfile[]>[]
  readonly #known = new Map<string, TypeWords>()

  /** `why` is what the world's own search read words as: it knows names of types that no schema has. */
  constructor(profile: WorldProfile, why: unknown) {
    this.#profile = profile
    this.types = profile.types.length <= MOST_TYPES ? profile.types : []
    const titled = this.types.flatMap((type) =>
      [type.title, type.type.replace(/^[^:]*:/, '')].map((name) => [termsOf(name), type] as const),
    )
    const read = (Array.isArray(why) ? why.slice(0, MOST_TYPES) : []).flatMap((one) => {
      const type = this.types.find((known) => known.type === member(one, 'type'))
      const isName = type !== undefined && member(one, 'order') === undefined
      return isName ? [[termsOf(String(member(one, 'word'))), type] as const] : []
    })
    this.#names = [titled, read].map(
      (pairs) =>
        new Map(
          [...Map.groupBy(pairs, ([term]) => term)].map(([term, found]) => [
            term,
            [...new Set(found.map(([, type]) => type))],
          ]),
        ),
    )
  }

  /** Returns the words of a type. */
  of(type: TypeProfile): TypeWords {
    const known = this.#known.get(type.type)
    if (known !== undefined) return known
    const all = askablesOf(this.#profile, type)
    const askables = all.length <= MOST_PROPERTIES ? all : []
    const labels = new Map(
      askables.map((one) => [
        one,
        [one.field.label, namedField(one.field.name, one.kind === 'number').label].map(termsOf),
      ]),
    )
    const values = askables.flatMap((one) => enumOf(one).map((value): Valued => [one, value]))
    const words = { askables, labels, values: Map.groupBy(values, ([, value]) => termsOf(value)) }
    this.#known.set(type.type, words)
    return words
  }

  /** Returns the types that the words at `at` name. Several share the name. */
  typesAt(words: readonly Word[], at: number): Found<TypeProfile> | undefined {
    const [titled, read] = this.#names
    return (
      longest(words, at, (term) => titled?.get(term)) ??
      longest(words.slice(0, at + 1), at, (term) => read?.get(term))
    )
  }

  /** Returns the properties that the words at `at` name: by their whole label, or else by its last words. */
  attributesAt(type: TypeProfile, words: readonly Word[], at: number): Found<Askable> | undefined {
    const { labels } = this.of(type)
    const those = (fits: (label: string) => boolean) =>
      [...labels].filter(([, own]) => own.some(fits)).map(([askable]) => askable)
    const english = words.map((word) => {
      const [noun] = ENGLISH_NOUNS.get(word.folded) ?? []
      return noun === undefined ? word : { ...word, term: termsOf(noun) }
    })
    return longest(english, at, (term) => {
      const whole = those((label) => label === term)
      return whole.length > 0 ? whole : those((label) => label.endsWith(` ${term}`))
    })
  }

  /** Returns those properties whose name, or a word of whose label, begins with one of the stems. */
  beginning(askables: readonly Askable[], stems: readonly string[]): Askable[] {
    const wordsIn = ({ field: { name, label } }: Askable) => [name, ...tokens(label).map(({ text }) => text)]
    const isOne = (word: string) => stems.some((stem) => fold(word).startsWith(stem))
    return askables.filter((one) => wordsIn(one).some(isOne))
  }

  /** Returns the values of enumerations of a type that the words at `at` are. */
  valuesAt(type: TypeProfile, words: readonly Word[], at: number): Found<Valued> | undefined {
    return longest(words, at, (term) => this.of(type).values.get(term))
  }
}

/** Reports whether a property is described as `Who found it`, with a word of a question as the verb. */
export function isDoer(askable: Askable | undefined, word: Word | undefined): boolean {
  const [, verb = ''] = /^who(?: or what)? (\w+)/i.exec(askable?.field.description ?? '') ?? []
  return verb !== '' && fold(verb) === word?.folded
}

function enumOf({ kind, field: { schema } }: Askable): string[] {
  const { enum: values } = isObject(schema['items']) ? schema['items'] : schema
  const isRead = kind === 'text' && Array.isArray(values) && values.length <= MOST_VALUES
  return isRead ? values.filter((value) => typeof value === 'string') : []
}

function longest<T>(
  words: readonly Word[],
  at: number,
  find: (term: string) => readonly T[] | undefined,
): Found<T> | undefined {
  for (let length = Math.min(MOST_WORDS, words.length - at); length > 0; length--) {
    const terms = words.slice(at, at + length).map(({ term }) => term)
    const found = find(terms.join(' '))
    if (found !== undefined && found.length > 0) return { found, length }
  }
  return undefined
}
