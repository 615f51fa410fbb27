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
import { isUnit } from '../text/units.ts'
import { WordTable } from './word-table.ts'

/** Weight of a field in a document's score, after BM25F. */
interface Field {
  /** Weight of an occurrence in a field of `pivot` words. */
  readonly weight: number
  /** Strength of length normalization: with 0, longer fields count the same; with 1, they count less in proportion. */
  readonly lengthNorm: number
  /** Length to which others are compared, in words. */
  readonly pivot: number
  /** Added to every length: among very short texts, being shorter says little. */
  readonly smoothing: number
}

/** Returns the weight of one occurrence in a field of `length` words. */
function occurrenceWeight({ weight, lengthNorm, pivot, smoothing }: Field, length: number): number {
  return weight / ((length + smoothing) / (pivot + smoothing)) ** lengthNorm
}

/** Titles and names are short and chosen with care, summaries less so, other text is arbitrary. */
const TITLE: Field = { weight: 5, lengthNorm: 0.7, pivot: 5, smoothing: 0 }
const ALIASES: Field = { weight: 4, lengthNorm: 0.5, pivot: 5, smoothing: 0 }
const SUMMARY: Field = { weight: 1.5, lengthNorm: 0.6, pivot: 40, smoothing: 5 }
const TEXT: Field = { weight: 1, lengthNorm: 0.7, pivot: 60, smoothing: 5 }

/** BM25's k1, the saturation: how soon more occurrences stop counting more. */
const SATURATION = 2.5

/** Names of a document, as parallel lists. If a hash occurs twice, the later kind counts. */
export interface Names {
  /** See `NameHash`. */
  readonly hashes: number[]
  /** See `NameKind`. */
  readonly kinds: number[]
}

/**
 * Analyses documents, one after the other; its properties describe the last one. The same document always has the same terms
 * and impacts, independent of the index and of other documents.
 */
export class Analyser {
  /** All words met so far. The number of a word is its term. */
  readonly words = new WordTable()
  /** Distinct terms of the document: the first `termCount`. */
  terms = new Uint32Array(64)
  termCount = 0
  /**
   * Distinct words as written that are not their own stems, for prefixes and spelling candidates, and keys of long words by
   * their ends: the first `spellingCount`.
   */
  spellings = new Uint32Array(64)
  spellingCount = 0
  /** Names: the title, aliases and id. */
  readonly names: Names = { hashes: [], kinds: [] }
  readonly #name = new NameHash()
  readonly #beginning = new NameBeginning()
  readonly #compound = new Compound()
  /** Position of the word before, if it holds a digit; otherwise its length is 0. */
  #numberText = ''
  #numberEnd = 0
  #numberLength = 0
  /** Number of the document: entries of `#termIn` and `#spellingIn` with another number are stale. */
  #document = 0
  /** Number + 1 of a word's stem, by word; 0 if it is not known yet. */
  #stemOf = new Uint32Array(256)
  /** Number + 1 of a word's key by its end, by word with a known stem; 0 if it has none. */
  #endingOf = new Uint32Array(256)
  /** Last document that holds a term, by term, and a spelling, by spelling. */
  #termIn = new Uint32Array(256)
  #spellingIn = new Uint32Array(256)
  /** Sum of the weights of a term's occurrences in that document, by term. */
  #weights = new Float64Array(256)
  /** Terms of the field, one for each occurrence. */
  #occurrences = new Uint32Array(256)
  #occurrenceCount = 0
  /** Length of the field in words. */
  #length = 0
  /** Parts of the field: the end of each, and the weight of its occurrences. */
  readonly #partEnds: number[] = []
  readonly #partWeights: number[] = []
  /** Set while a name is read. */
  #inName = false
  readonly #nameSink = {
    word: (text: string, start: number, end: number): void => this.#name.add(text, start, end),
    run: (run: string): void => this.#name.add(run, 0, run.length),
    part: (): void => {},
  }

  /** Analyses a document. */
  analyse({ id, title, aliases, summary, text, aliasWeight, weighted = [] }: SearchDocument): void {
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
  }

  /** Returns the impact of a term, from 1 to `MAX_IMPACT`: its weight, saturated and quantised. */
  impact(term: number): number {
    const weight = this.#weights[term] as number
    return Math.max(1, Math.round((MAX_IMPACT * weight) / (SATURATION + weight)))
  }

  /** Adds a word or number; called by `scan`. */
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

  /** Adds characters of an unspaced script; called by `scan`. */
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

  /** Adds the part of a word with an apostrophe that may stand alone; called by `scan`. */
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

  /** Adds the beginning of the last name read to its field, as one more occurrence of a term. */
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

  /** Reads a part of a field, in which each occurrence counts `weight` times. */
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

  /** Adds the occurrences of a field, whose length is now known, to the weights of their terms. */
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

  /** Adds a word: an occurrence of its stem (a code is its own), and a spelling if the stem is another word. */
  #addWord(word: number, text: string, start: number, end: number, isCode = false): void {
    let term = (this.#stemOf[word] as number) - 1
    if (term < 0) {
      const written = text.slice(start, end)
      const stemmed = isCode ? written : stem(written)
      term = stemmed === written ? word : this.#numberOf(stemmed, 0, stemmed.length)
      this.#stemOf[word] = term + 1
      const backwards = endingKey(written)
      if (backwards !== undefined) {
        // The number comes first, as a new one may replace the array with a longer one.
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

  /** Adds a compound written as one: codes and initials anywhere, other words in names, where people leave hyphens out. */
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
