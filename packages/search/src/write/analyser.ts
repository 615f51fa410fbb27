/** Converts a document to its weighted terms. */
import { grown } from '../format/byte-io.ts'
import { MAX_IMPACT } from '../format/postings.ts'
import type { SearchDocument } from '../port/document.ts'
import { beginningKey, NameBeginning } from '../text/beginnings.ts'
import { Compound } from '../text/compound.ts'
import { endingKey } from '../text/endings.ts'
import { NameHash, NameKind } from '../text/names.ts'
import { stem } from '../text/stem.ts'
import { grams, scan } from '../text/tokeniser.ts'
import { typeTerm } from '../text/type-terms.ts'
import { isUnit } from '../text/units.ts'
import { WordTable } from './word-table.ts'

/** Weighting of one field in the score of a document, as in BM25F. */
interface Field {
  /** Weight of an occurrence in a field of `pivot` words. */
  readonly weight: number
  /** Strength of length normalization, from 0 (length has no effect) to 1 (weight is inversely proportional to length). */
  readonly lengthNorm: number
  /** Reference length for the normalization, in words. */
  readonly pivot: number
  /** Number of words added to every length, since differences in length mean little among very short texts. */
  readonly smoothing: number
}

/** Returns the weight of one occurrence in a field of `length` words. */
function occurrenceWeight({ weight, lengthNorm, pivot, smoothing }: Field, length: number): number {
  return weight / ((length + smoothing) / (pivot + smoothing)) ** lengthNorm
}

/** Field weightings. Titles and names are short and carefully chosen, summaries less so, and other text varies widely. */
const TITLE: Field = { weight: 5, lengthNorm: 0.7, pivot: 5, smoothing: 0 }
const ALIASES: Field = { weight: 4, lengthNorm: 0.5, pivot: 5, smoothing: 0 }
const SUMMARY: Field = { weight: 1.5, lengthNorm: 0.6, pivot: 40, smoothing: 5 }
const TEXT: Field = { weight: 1, lengthNorm: 0.7, pivot: 60, smoothing: 5 }

/** Saturation parameter k1 of BM25, which controls how soon further occurrences stop adding weight. */
const SATURATION = 2.5

/** Names of a document, as parallel arrays. If a hash occurs twice, the later kind wins. */
export interface Names {
  /** See `NameHash`. */
  readonly hashes: number[]
  /** See `NameKind`. */
  readonly kinds: number[]
}

/**
 * Analyses one document at a time. Its properties describe the latest document. The terms and impacts of a document
 * do not depend on the index or on other documents.
 */
export class Analyser {
  /** All words seen so far. The number of a word is its term. */
  readonly words = new WordTable()
  /** Distinct terms of the document. Only the first `termCount` entries are in use. */
  terms = new Uint32Array(64)
  termCount = 0
  /**
   * Distinct surface forms that differ from their stems, for prefixes and spelling candidates, and the suffix keys of long
   * words. Only the first `spellingCount` entries are in use.
   */
  spellings = new Uint32Array(64)
  spellingCount = 0
  /** Names of the document: its title, aliases and id. */
  readonly names: Names = { hashes: [], kinds: [] }
  readonly #name = new NameHash()
  readonly #beginning = new NameBeginning()
  readonly #compound = new Compound()
  /** Text, end and length of the previous word if it contains a digit. Otherwise, `#numberLength` is 0. */
  #numberText = ''
  #numberEnd = 0
  #numberLength = 0
  /** Number of the current document. Entries of `#termIn` and `#spellingIn` with a different number are stale. */
  #document = 0
  /** For each word, the number of its stem plus 1, or 0 if the stem is not known yet. */
  #stemOf = new Uint32Array(256)
  /** For each word with a known stem, the number of its suffix key plus 1, or 0 if it has no suffix key. */
  #endingOf = new Uint32Array(256)
  /** For each term and for each spelling, the last document that contains it. */
  #termIn = new Uint32Array(256)
  #spellingIn = new Uint32Array(256)
  /** For each term, the total weight of its occurrences in the last document that contains it. */
  #weights = new Float64Array(256)
  /** Terms of the current field, one per occurrence. */
  #occurrences = new Uint32Array(256)
  #occurrenceCount = 0
  /** Length of the current field in words. */
  #length = 0
  /** For each part of the current field, its end in `#occurrences` and the weight of an occurrence. */
  readonly #partEnds: number[] = []
  readonly #partWeights: number[] = []
  /** Set while reading a name. */
  #inName = false
  readonly #nameSink = {
    word: (text: string, start: number, end: number): void => this.#name.add(text, start, end),
    run: (run: string): void => this.#name.add(run, 0, run.length),
    part: (): void => {},
  }

  analyse({ type, id, title, aliases, summary, text, aliasWeight, weighted = [] }: SearchDocument): void {
    this.#document += 1
    this.termCount = 0
    this.spellingCount = 0
    this.names.hashes.length = 0
    this.names.kinds.length = 0
    const aliasField = aliasWeight === undefined ? ALIASES : { ...ALIASES, weight: aliasWeight }
    for (const alias of aliases) {
      this.#readName(alias, NameKind.alias)
      this.#endField(aliasField)
    }
    this.#readName(title, NameKind.title)
    this.#addBeginning()
    this.#endField(TITLE)
    this.#name.clear()
    scan(id, this.#nameSink)
    this.#addName(NameKind.id)
    this.#read(summary, 1)
    this.#endField(SUMMARY)
    this.#read(text, 1)
    for (const part of weighted) this.#read(part.text, part.weight)
    this.#endField(TEXT)
    const key = typeTerm(type)
    this.#addTerm(this.#numberOf(key, 0, key.length), TITLE.weight)
  }

  /** Returns the saturated and quantised weight of a term, from 1 to `MAX_IMPACT`. */
  impact(term: number): number {
    const weight = this.#weights[term] as number
    return Math.max(1, Math.round((MAX_IMPACT * weight) / (SATURATION + weight)))
  }

  /** Adds a word or number. Called by `scan`. */
  word(text: string, start: number, end: number, hasDigit: boolean, bond: boolean): void {
    if (!bond) this.#endCompound()
    this.#compound.add(text, start, end, hasDigit)
    this.#length += 1
    if (this.#inName) this.#addToName(text, start, end)
    const word = this.#numberOf(text, start, end)
    if (hasDigit) {
      this.#addWord(word, text, start, end, true)
      this.#numberText = text
      this.#numberEnd = end
      this.#numberLength = end - start
      return
    }
    this.#addWord(word, text, start, end)
    if (this.#numberLength === 0) return
    if (!bond && isUnit(text, start, end)) {
      const number = this.#numberText.slice(this.#numberEnd - this.#numberLength, this.#numberEnd)
      const joined = number + text.slice(start, end)
      this.#addOccurrence(this.#numberOf(joined, 0, joined.length))
    }
    this.#numberLength = 0
  }

  /** Adds characters of an unspaced script. Called by `scan`. */
  run(run: string): void {
    this.#endCompound()
    this.#numberLength = 0
    if (this.#inName) this.#addToName(run, 0, run.length)
    const add = (gram: string) => this.#addOccurrence(this.#numberOf(gram, 0, gram.length))
    grams(run, add, (single) => {
      add(single)
      this.#length += 1
    })
  }

  /** Adds a part of a word that may stand alone (see `TokenSink.part`). Called by `scan`. */
  part(text: string): void {
    this.#addWord(this.#numberOf(text, 0, text.length), text, 0, text.length)
  }

  #readName(text: string, kind: number): void {
    this.#name.clear()
    this.#beginning.clear()
    this.#inName = true
    this.#read(text, 1)
    this.#inName = false
    this.#addName(kind)
  }

  #addToName(text: string, start: number, end: number): void {
    this.#name.add(text, start, end)
    this.#beginning.add(text, start, end)
  }

  /** Counts the title-prefix key of the latest name as a term occurrence in the current field. */
  #addBeginning(): void {
    const key = beginningKey(this.#beginning.text)
    if (key === undefined) return
    this.#addOccurrence(this.#numberOf(key, 0, key.length))
    this.#endPart(1)
  }

  #addName(kind: number): void {
    if (this.#name.empty) return
    this.names.hashes.push(this.#name.value)
    this.names.kinds.push(kind)
  }

  /** Reads a part of a field. `weight` applies to every occurrence in the part. */
  #read(text: string, weight: number): void {
    if (text === '') return
    scan(text, this)
    this.#endCompound()
    this.#numberLength = 0
    this.#endPart(weight)
  }

  #endPart(weight: number): void {
    this.#partEnds.push(this.#occurrenceCount)
    this.#partWeights.push(weight)
  }

  /** Adds the occurrences of a field to the weights of their terms, once the length of the field is known. */
  #endField(field: Field): void {
    const each = occurrenceWeight(field, this.#length)
    let at = 0
    for (let part = 0; part < this.#partEnds.length; part++) {
      const end = this.#partEnds[part] as number
      const weight = each * (this.#partWeights[part] as number)
      for (; at < end; at++) this.#addTerm(this.#occurrences[at] as number, weight)
    }
    this.#partEnds.length = 0
    this.#partWeights.length = 0
    this.#occurrenceCount = 0
    this.#length = 0
  }

  #addTerm(term: number, weight: number): void {
    if (this.#termIn[term] !== this.#document) {
      this.#termIn[term] = this.#document
      this.#weights[term] = weight
      if (this.termCount === this.terms.length) this.terms = grown(this.terms, Uint32Array)
      this.terms[this.termCount++] = term
    } else this.#weights[term] = (this.#weights[term] as number) + weight
  }

  #addOccurrence(term: number): void {
    if (this.#occurrenceCount === this.#occurrences.length) {
      this.#occurrences = grown(this.#occurrences, Uint32Array)
    }
    this.#occurrences[this.#occurrenceCount++] = term
  }

  /** Adds an occurrence of a word's stem. Adds the word as a spelling if its stem differs. A code is its own stem. */
  #addWord(word: number, text: string, start: number, end: number, isCode = false): void {
    let term = (this.#stemOf[word] as number) - 1
    if (term < 0) {
      const written = text.slice(start, end)
      const stemmed = isCode ? written : stem(written)
      term = stemmed === written ? word : this.#numberOf(stemmed, 0, stemmed.length)
      this.#stemOf[word] = term + 1
      const backwards = endingKey(written)
      if (backwards !== undefined) {
        // The number must be assigned first, since a new word may cause `#endingOf` to be replaced with a longer array.
        const key = this.#numberOf(backwards, 0, backwards.length)
        this.#endingOf[word] = key + 1
      }
    }
    this.#addOccurrence(term)
    if (term !== word) this.#addSpelling(word)
    const ending = this.#endingOf[word] as number
    if (ending > 0) this.#addSpelling(ending - 1)
  }

  #addSpelling(word: number): void {
    if (this.#spellingIn[word] === this.#document) return
    this.#spellingIn[word] = this.#document
    if (this.spellingCount === this.spellings.length) this.spellings = grown(this.spellings, Uint32Array)
    this.spellings[this.spellingCount++] = word
  }

  #numberOf(text: string, start: number, end: number): number {
    const number = this.words.number(text, start, end)
    if (number === this.#stemOf.length) {
      this.#stemOf = grown(this.#stemOf, Uint32Array)
      this.#endingOf = grown(this.#endingOf, Uint32Array)
      this.#termIn = grown(this.#termIn, Uint32Array)
      this.#spellingIn = grown(this.#spellingIn, Uint32Array)
      this.#weights = grown(this.#weights, Float64Array)
    }
    return number
  }

  /** Adds the current compound as one word if it is a code, consists of initials or is in a name. */
  #endCompound(): void {
    const isWanted = this.#compound.size > 1 && (this.#inName || this.#compound.isCode)
    const joined = isWanted ? this.#compound.joined() : undefined
    if (joined !== undefined) {
      const word = this.#numberOf(joined, 0, joined.length)
      if (this.#compound.isCode) this.#addOccurrence(word)
      else this.#addWord(word, joined, 0, joined.length)
    }
    this.#compound.clear()
  }
}
