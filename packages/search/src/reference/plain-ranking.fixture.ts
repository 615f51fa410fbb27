/** The documented ranking of one text, found by examining every document that contains a query word. */
import { compareKeys } from '../port/document.ts'
import { type QueryWord, queryWords } from '../read/clauses.ts'
import { ENOUGH, Tier } from '../read/tiers.ts'
import { NameKind, normalizedName } from '../text/names.ts'
import { type SynonymRule, Synonyms, termOf } from '../text/synonyms.ts'
import { TokenKind } from '../text/tokeniser.ts'
import { countOf, type Dictionary, type Indexed, rarityOf, weightOf } from './dictionary.fixture.ts'
import { type Expansions, expansions, join } from './expansions.fixture.ts'
import { scoresOfSome, tellingAmong, type WeighedWord, weighedWords } from './plain-cover.fixture.ts'
import { beginningWith, characters, endingWith, inflected, withBeginning } from './plain-forms.fixture.ts'
import { plainNames, plainNamesWithin } from './plain-names.fixture.ts'
import { correctedExpansions, nearTo } from './plain-spelling.fixture.ts'
import { plainSynonyms, plainTypes, withSynonyms } from './plain-synonyms.fixture.ts'
import { respacedPlainly } from './respacing.fixture.ts'

const TIER = 2 ** 40

/** Ranked result of a query. */
export interface Ranked {
  readonly keys: string[]
  readonly scores: number[]
  readonly total: number
  readonly counts: Record<string, number>
}

/** Ranks all documents for one text. */
export class Ranking {
  readonly #dictionary: Dictionary
  readonly #text: string
  readonly #synonyms: readonly SynonymRule[]
  readonly #types: readonly string[] | undefined
  readonly #scores = new Map<Indexed, number>()
  /** Set if the query has several words, none of an unspaced script. All tiers except names then compete by score. */
  #loose = false
  #words = 0
  /** Places of the words that documents must hold. */
  #wanted: readonly number[] = []
  /** Expansions of the last search for documents that hold all of them. */
  #whole: readonly Expansions[] = []
  /** Title-prefix terms that match the query. */
  #begun: readonly string[] = []

  constructor(
    dictionary: Dictionary,
    text: string,
    synonyms: readonly SynonymRule[],
    types?: readonly string[],
  ) {
    this.#dictionary = dictionary
    this.#synonyms = synonyms
    this.#text = respacedPlainly(text, {
      held: (term) => this.#dictionary.terms.get(term) ?? [],
      begins: (prefix) => beginningWith(this.#dictionary, prefix).length > 0,
      ends: (token) => endingWith(this.#dictionary, token).size > 0,
      near: (word) => nearTo(this.#dictionary, word),
      synonyms: plainSynonyms(text, synonyms),
    })
    this.#types = types
  }

  ranked(limit: number, unfinished = false): Ranked {
    const words = queryWords(this.#text, new Synonyms(this.#synonyms))
    const synonyms = plainSynonyms(this.#text, this.#synonyms)
    this.#words = words.length
    const places = [...words.keys()]
    const wanted = places.filter((at) => words[at]?.telling)
    this.#wanted = wanted.length > 0 ? wanted : places
    const one = this.#wanted.length === 1
    this.#loose = words.length > 1 && !words.some(({ token }) => token.kind === TokenKind.gram)
    const name = normalizedName(this.#text)
    this.#begun = withBeginning(this.#dictionary, name)
    const exact = words.map(({ token, terms, last }) => {
      const own: Expansions = new Map()
      for (const [at, term] of terms.entries())
        if (this.#count(term) > 0 && !own.has(term)) own.set(term, at === 0 ? 1 : 0.9)
      const all = withSynonyms(own, synonyms.get(termOf(token)), this.#dictionary)
      const isBegun = last && words.length > 1 && name.length <= 8
      return isBegun ? new Map([...all, ...expansions(this.#begun)]) : all
    })
    const named = this.#named(exact)
    let matches = this.#all(exact, Tier.allWords)
    const held = matches.size
    let wide = exact
    const isOpen = unfinished || words.some(({ token, last }) => last && this.#count(termOf(token)) === 0)
    if (isOpen && matches.size < ENOUGH) {
      const withPrefix = words.map(({ token, last }) =>
        last && token.kind !== TokenKind.gram
          ? expansions(beginningWith(this.#dictionary, token.text))
          : new Map(),
      )
      if (withPrefix.some(({ size }) => size > 0)) {
        wide = join(wide, withPrefix)
        matches = this.#all(wide, Tier.prefix)
      }
    }
    if ((held === 0 || one) && matches.size < ENOUGH) {
      const ends = words.map(({ token }) => endingWith(this.#dictionary, token))
      if (ends.some(({ size }) => size > 0)) {
        wide = join(wide, ends)
        matches = this.#all(wide, Tier.ending)
      }
    }
    const certain = wide
    if (held === 0 && matches.size < ENOUGH) {
      const candidates = words.map(({ token, telling }, at) =>
        token.kind !== TokenKind.word || !telling || (one && exact[at]?.size)
          ? []
          : nearTo(this.#dictionary, token.text),
      )
      const forms = words.map(({ token, telling }, at) =>
        exact[at]?.size || !telling ? new Map() : inflected(this.#dictionary, token),
      )
      if (candidates.some(({ length }) => length > 0) || forms.some(({ size }) => size > 0)) {
        const corrected = candidates.map((near) => correctedExpansions(near, (term) => this.#count(term)))
        wide = join(join(wide, corrected), forms)
        const names = plainNames(
          this.#text,
          words.map(({ token }) => token.text),
          candidates,
        )
        matches = this.#all(wide, Tier.correctedWords, names)
      }
    }
    if (this.#loose && this.#wanted.length < words.length) this.#rankWhole(words)
    if (matches.size < (one ? 1 : ENOUGH)) {
      const some = words.map(
        ({ token }, at) =>
          [exact, certain, wide].find((each) => each[at]?.size)?.[at] ?? characters(this.#dictionary, token),
      )
      matches = matches.union(this.#some(words, some))
    }
    return this.#result(matches.union(named), limit)
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
    return countOf(this.#dictionary, term)
  }

  /** For each document of the requested types that contains an expansion, returns the highest impact. */
  #impacts(each: Expansions): Map<Indexed, number> {
    const best = new Map<Indexed, number>()
    for (const [phrase, boost] of each) {
      const terms = phrase.split(' ')
      for (const indexed of this.#dictionary.terms.get(terms[0] ?? '') ?? []) {
        if (!this.#isWanted(indexed)) continue
        const least = Math.min(...terms.map((term) => indexed.impacts.get(term) ?? 0))
        if (least === 0) continue
        const impact = Math.max(1, Math.round(least * boost))
        if (impact > (best.get(indexed) ?? 0)) best.set(indexed, impact)
      }
    }
    return best
  }

  #isWanted({ document }: Indexed): boolean {
    return this.#types?.includes(document.type) ?? true
  }

  #offer(indexed: Indexed, score: number): void {
    if (score > (this.#scores.get(indexed) ?? -1)) this.#scores.set(indexed, score)
  }

  #named(exact: readonly Expansions[]): Set<Indexed> {
    const text = this.#text.trim().normalize('NFC')
    const key = normalizedName(text)
    const found = new Set<Indexed>()
    const words = exact.map((each) => ({
      weight: weightOf(each, this.#dictionary),
      impacts: this.#impacts(each),
    }))
    for (const indexed of this.#dictionary.named.get(key) ?? []) {
      if (!this.#isWanted(indexed)) continue
      const kind = indexed.names.get(key)
      let tier: number = kind === NameKind.alias ? Tier.alias : Tier.title
      if (kind === NameKind.id) tier = indexed.document.id === text ? Tier.id : Tier.foldedId
      const score = words.reduce((sum, { weight, impacts }) => sum + weight * (impacts.get(indexed) ?? 0), 0)
      this.#offer(indexed, tier * TIER + score)
      found.add(indexed)
    }
    return found
  }

  #all(each: readonly Expansions[], tier: number, names = new Map<string, number>()): Set<Indexed> {
    const wanted = this.#wanted.map((at) => each[at] ?? new Map())
    const words = wanted.map((word) => ({
      weight: weightOf(word, this.#dictionary),
      impacts: this.#impacts(word),
    }))
    const found = new Set<Indexed>()
    for (const indexed of words[0]?.impacts.keys() ?? []) {
      if (!words.every(({ impacts }) => impacts.has(indexed))) continue
      const edits = Math.min(...[...indexed.names.keys()].map((name) => names.get(name) ?? Infinity))
      const sum = words.reduce((sum, { weight, impacts }) => sum + weight * (impacts.get(indexed) ?? 0), 0)
      const score = this.#loose ? 6 * sum : sum
      const begins = tier >= Tier.prefix && this.#begun.some((term) => indexed.impacts.has(term))
      let kind: number = this.#loose ? 0 : tier
      if (begins) kind = this.#words > 1 ? Tier.beginning : tier + 0.5
      if (edits < Infinity) kind = Tier.correctedName + 2 ** -Math.min(edits, 8)
      this.#offer(indexed, kind * TIER + score)
      found.add(indexed)
    }
    if (found.size > 0) this.#whole = each
    return found
  }

  /** Adds what the other words and the names in the text score to the documents that hold all wanted words. */
  #rankWhole(words: readonly QueryWord[]): void {
    const wanted = this.#wanted.map((at) => words[at] as QueryWord)
    const weighed = this.#weighed(words, this.#whole, { scale: 6, telling: wanted, whole: true })
    const needed = weighed.filter(({ isTelling }) => isTelling)
    for (const indexed of needed[0]?.impacts.keys() ?? [])
      if (needed.every(({ impacts }) => impacts.has(indexed)))
        this.#offer(
          indexed,
          weighed.reduce((sum, { weight, impacts }) => sum + weight * (impacts.get(indexed) ?? 0), 0),
        )
  }

  #some(words: readonly QueryWord[], each: readonly Expansions[]): Set<Indexed> {
    const telling = tellingAmong(words, (term) => this.#count(term), this.#dictionary.documents)
    const weighed = this.#weighed(words, each, { scale: 5, telling, whole: false })
    const scores = scoresOfSome(weighed, (left, right) => compareKeys(left.document, right.document))
    for (const [indexed, score] of scores) this.#offer(indexed, score)
    return new Set(scores.keys())
  }

  #weighed(
    words: readonly QueryWord[],
    each: readonly Expansions[],
    { scale, telling, whole }: { scale: number; telling: readonly QueryWord[]; whole: boolean },
  ): WeighedWord<Indexed>[] {
    const times = this.#loose ? scale : 1
    const weighed = weighedWords(
      each.map((word, at) => ({
        isTelling: telling.includes(words[at] as QueryWord),
        boosts: [...word.values()],
        weight: times * weightOf(word, this.#dictionary),
        impacts: this.#impacts(word),
      })),
    )
    const names = plainNamesWithin(
      this.#text,
      words,
      (term) => this.#count(term),
      (name) => this.#namedDocuments(name).length > 0,
    )
    const types = plainTypes(this.#text, this.#synonyms, this.#dictionary)
    const named = names.map(({ name, words: held }) => {
      const weight = held.reduce((sum, word) => sum + (weighed[words.indexOf(word)]?.weight ?? 0), 0)
      const isOfNamed = ({ document }: Indexed) => types.includes(`\u0004${document.type}`)
      const documents = this.#namedDocuments(name).filter((one) => types.length === 0 || isOfNamed(one))
      const impacts = new Map(documents.map((one) => [one, 24 * (one.names.get(name) ?? 0)]))
      const rarity = rarityOf(this.#dictionary, this.#namedDocuments(name).length)
      const cover = whole || telling.length === 1 ? 0 : Math.floor(0.6 * times * rarity)
      return { isTelling: false, boosts: [], weight, cover, impacts }
    })
    return [...weighed, ...named]
  }

  #namedDocuments(name: string): Indexed[] {
    return this.#dictionary.named.get(name)?.filter((one) => this.#isWanted(one)) ?? []
  }
}
