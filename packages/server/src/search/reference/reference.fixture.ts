/**
 * The documented ranking, worked out the plain way: of every word, every document that holds it is looked at, and
 * nothing is skipped.
 */

import { compareKeys, type SearchDocument } from '../port/document.ts'
import { ENOUGH, type Query, Tier } from '../port/query.ts'
import { wordsOf } from '../read/clauses.ts'
import { editsAllowed, otherBeginnings } from '../read/edit-distance.ts'
import { BEGINNINGS, GUESSES } from '../read/vocabulary.ts'
import { NameKind, nameParts, normalizedName } from '../text/names.ts'
import { stemOf } from '../text/stem.ts'
import { TokenKind } from '../text/tokens.ts'
import { type Dictionary, dictionaryOf, type Indexed } from './dictionary.fixture.ts'
import { distanceOf } from './distance.fixture.ts'
import { analyse } from './plain-analysis.fixture.ts'

const TIER = 2 ** 40
const SHARES = [1, 0.5, 0.25]

type Readings = Map<string, number>

/** What the ranking says of a question. */
export interface Ranked {
  readonly keys: string[]
  readonly scores: number[]
  readonly total: number
  readonly counts: Record<string, number>
}

/** Documents, searched one by one. */
export class Reference {
  readonly #documents = new Map<string, Indexed>()

  put(document: SearchDocument): void {
    this.#documents.set(`${document.type} ${document.id}`, { document, ...analyse(document) })
  }

  delete(type: string, id: string): void {
    this.#documents.delete(`${type} ${id}`)
  }

  /** Ranks all documents. The dictionary is read anew each time unless it is given. */
  search({ text = '', types, limit }: Query, words = this.dictionary()): Ranked {
    return new Ranking(words, text, types).ranked(limit)
  }

  /** What all documents together say of each word. */
  dictionary(): Dictionary {
    return dictionaryOf(this.#documents.values())
  }
}

class Ranking {
  readonly #dictionary: Dictionary
  readonly #text: string
  readonly #types: readonly string[] | undefined
  readonly #scores = new Map<Indexed, number>()

  constructor(dictionary: Dictionary, text: string, types?: readonly string[]) {
    this.#dictionary = dictionary
    this.#text = text
    this.#types = types
  }

  ranked(limit: number): Ranked {
    const words = wordsOf(this.#text)
    const whole = words.map(({ terms }) => readings(terms.filter((term) => this.#count(term) > 0)))
    const exact = this.#exact(whole)
    let matches = this.#all_(whole, Tier.whole)
    const held = matches.size
    let wide = whole
    if (matches.size < ENOUGH) {
      const begun = words.map(({ token, last }) =>
        last && token.kind !== TokenKind.gram ? readings(this.#beginningWith(token.text)) : new Map(),
      )
      if (begun.some(({ size }) => size > 0)) {
        wide = join(wide, begun)
        matches = this.#all_(wide, Tier.beginning)
      }
    }
    const sure = wide
    if (held === 0 && matches.size < ENOUGH) {
      const guesses = words.map(({ token }, at) =>
        token.kind !== TokenKind.word || (words.length === 1 && whole[at]?.size)
          ? []
          : this.#nearTo(token.text),
      )
      if (guesses.some(({ length }) => length > 0)) {
        wide = join(
          wide,
          guesses.map((near) => this.#guessReadings(near)),
        )
        const names = new Set(
          this.#names(
            words.map(({ token }) => token.text),
            guesses,
          ),
        )
        matches = this.#all_(wide, Tier.guessed, names)
      }
    }
    if (matches.size < ENOUGH && words.length > 1) {
      const some = words.map((_, at) => [whole, sure, wide].find((each) => each[at]?.size)?.[at] ?? new Map())
      matches = matches.union(this.#some(some))
    }
    return this.#result(matches.union(exact), limit)
  }

  #result(matches: ReadonlySet<Indexed>, limit: number): Ranked {
    const order = [...this.#scores].sort(
      ([left, leftScore], [right, rightScore]) =>
        rightScore - leftScore || compareKeys(left.document, right.document),
    )
    const best = order.slice(0, limit)
    const counts: Record<string, number> = {}
    const types = [...matches].map(({ document }) => document.type).sort()
    for (const type of types) counts[type] = (counts[type] ?? 0) + 1
    return {
      keys: best.map(([{ document }]) => `${document.type} ${document.id}`),
      scores: best.map(([, score]) => score),
      total: matches.size,
      counts,
    }
  }

  #count(term: string): number {
    return this.#dictionary.terms.get(term)?.length ?? 0
  }

  #weight(each: Readings): number {
    let held = 0
    for (const term of each.keys()) held += this.#count(term)
    const { documents } = this.#dictionary
    held = Math.min(held, documents)
    return Math.max(1, Math.round(64 * Math.log(1 + (documents - held + 0.5) / (held + 0.5))))
  }

  /** The best impact of each document that holds one of the readings, within the types asked for. */
  #impacts(each: Readings): Map<Indexed, number> {
    const best = new Map<Indexed, number>()
    for (const [term, share] of each) {
      for (const indexed of this.#dictionary.terms.get(term) ?? []) {
        if (!this.#asked(indexed)) continue
        const impact = Math.max(1, Math.round((indexed.impacts.get(term) ?? 0) * share))
        if (impact > (best.get(indexed) ?? 0)) best.set(indexed, impact)
      }
    }
    return best
  }

  #asked({ document }: Indexed): boolean {
    return this.#types?.includes(document.type) ?? true
  }

  #give(indexed: Indexed, score: number): void {
    if (score > (this.#scores.get(indexed) ?? -1)) this.#scores.set(indexed, score)
  }

  #exact(whole: readonly Readings[]): Set<Indexed> {
    const text = this.#text.trim().normalize('NFC')
    const key = normalizedName(text)
    const found = new Set<Indexed>()
    const words = whole.map((each) => ({ weight: this.#weight(each), impacts: this.#impacts(each) }))
    for (const indexed of this.#dictionary.named.get(key) ?? []) {
      if (!this.#asked(indexed)) continue
      const rank = indexed.names.get(key)
      let tier: number = rank === NameKind.alias ? Tier.alias : Tier.title
      if (rank === NameKind.id) tier = indexed.document.id === text ? Tier.id : Tier.foldedId
      const score = words.reduce((sum, { weight, impacts }) => sum + weight * (impacts.get(indexed) ?? 0), 0)
      this.#give(indexed, tier * TIER + score)
      found.add(indexed)
    }
    return found
  }

  #all_(each: readonly Readings[], tier: number, names = new Set<string>()): Set<Indexed> {
    const words = each.map((word) => ({ weight: this.#weight(word), impacts: this.#impacts(word) }))
    const found = new Set<Indexed>()
    for (const indexed of words[0]?.impacts.keys() ?? []) {
      if (!words.every(({ impacts }) => impacts.has(indexed))) continue
      const named = [...indexed.names.keys()].some((name) => names.has(name))
      const score = words.reduce((sum, { weight, impacts }) => sum + weight * (impacts.get(indexed) ?? 0), 0)
      this.#give(indexed, (named ? Tier.guessedName : tier) * TIER + score)
      found.add(indexed)
    }
    return found
  }

  #some(each: readonly Readings[]): Set<Indexed> {
    const scores = new Map<Indexed, number>()
    for (const word of each) {
      const weight = this.#weight(word)
      for (const [indexed, impact] of this.#impacts(word)) {
        scores.set(indexed, (scores.get(indexed) ?? 0) + weight * impact)
      }
    }
    for (const [indexed, score] of scores) this.#give(indexed, score)
    return new Set(scores.keys())
  }

  #beginningWith(prefix: string): string[] {
    const words = this.#entries().filter(([word]) => word.startsWith(prefix))
    words.sort(([left, leftCount], [right, rightCount]) => rightCount - leftCount || compareText(left, right))
    const best = words.slice(0, BEGINNINGS).flatMap(([word]) => [word, stemOf(word)])
    return [...new Set(best)].filter((term) => this.#count(term) > 0)
  }

  /** All words, terms and as written, with how many documents hold them. */
  #entries(): (readonly [string, number])[] {
    const { terms, spellings } = this.#dictionary
    return [...[...terms].map(([term, { length }]) => [term, length] as const), ...spellings]
  }

  #nearTo(word: string): { word: string; distance: number }[] {
    const max = editsAllowed([...word].length)
    const found = new Map<string, { word: string; distance: number; count: number }>()
    const ascii = /^[\0-\x7f]*$/.test(word)
    const add = (other: string, distance: number, count: number) => {
      if (count > (found.get(other)?.count ?? 0)) found.set(other, { word: other, distance, count })
    }
    for (const [other, count] of max > 0 ? this.#entries() : []) {
      if (other === word || [...other][0] !== [...word][0] || /\p{N}/u.test(other)) continue
      if (ascii && !/^[A-Za-z]*$/.test(other)) continue
      const distance = distanceOf([...word], [...other])
      if (distance <= max) add(other, distance, count)
    }
    for (const other of max > 0 ? otherBeginnings(word) : []) {
      add(other, 2, Math.max(this.#count(other), this.#dictionary.spellings.get(other) ?? 0))
    }
    return [...found.values()]
      .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.word < b.word ? -1 : 1))
      .slice(0, GUESSES)
  }

  #guessReadings(guesses: readonly { word: string; distance: number }[]): Readings {
    const found: Readings = new Map()
    for (const { word, distance } of guesses) {
      for (const term of [word, stemOf(word)]) {
        if (this.#count(term) > 0) found.set(term, Math.max(found.get(term) ?? 0, SHARES[distance] ?? 0))
      }
    }
    return found
  }

  #names(words: readonly string[], guesses: readonly (readonly { word: string }[])[]): string[] {
    const choices = nameParts(this.#text).map((part) => [
      part,
      ...(guesses[words.indexOf(part)] ?? []).map(({ word }) => word),
    ])
    const many = Math.max(1, choices.filter(({ length }) => length > 1).length)
    const each = Math.max(1, Math.floor(256 ** (1 / many)))
    return choices.reduce<string[]>(
      (names, choice) =>
        names.flatMap((name) => choice.slice(0, each).map((part) => (name ? `${name} ${part}` : part))),
      [''],
    )
  }
}

function readings(terms: readonly string[]): Readings {
  return new Map(terms.map((term) => [term, 1]))
}

function join(left: readonly Readings[], right: readonly Readings[]): Readings[] {
  return left.map((each, at) => {
    const joined = new Map(each)
    for (const [term, share] of right[at] ?? []) joined.set(term, Math.max(joined.get(term) ?? 0, share))
    return joined
  })
}

function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
