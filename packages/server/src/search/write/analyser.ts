/** Taking documents apart into weighted terms. */
import { grown } from '../format/bytes.ts'
import { MAX_IMPACT } from '../format/postings.ts'
import type { SearchDocument } from '../port/document.ts'
import { NameHash, NameKind } from '../text/names.ts'
import { stem } from '../text/stem.ts'
import { Compound, grams, scan } from '../text/tokens.ts'
import { Words } from './word-table.ts'

/** A field's part in a document's score, after BM25F. */
interface Field {
  /** What an occurrence is worth against one in ordinary text. */
  readonly weight: number
  /** How much length dilutes an occurrence: 0 not at all, 1 in proportion. */
  readonly dilution: number
  /** The length at which an occurrence is worth `weight`. In words. */
  readonly pivot: number
  /** Added to every length: among texts this short, being shorter says little. */
  readonly short: number
}

/** What one occurrence is worth in a field of some words. */
function worthOf({ weight, dilution, pivot, short }: Field, length: number): number {
  return weight / ((length + short) / (pivot + short)) ** dilution
}

/** Titles and names are short and chosen; a summary is chosen; other text is as it comes. */
const TITLE: Field = { weight: 5, dilution: 0.5, pivot: 5, short: 0 }
const ALIASES: Field = { weight: 4, dilution: 0.5, pivot: 5, short: 0 }
const SUMMARY: Field = { weight: 1.5, dilution: 0.6, pivot: 40, short: 5 }
const TEXT: Field = { weight: 1, dilution: 0.7, pivot: 100, short: 5 }

/** BM25's k1: how soon more occurrences stop counting more. */
const SATURATION = 2

/** The names of a document, as two lists side by side. Where two are the same, the later one counts. */
export interface Names {
  /** See `NameHash`. */
  readonly hashes: number[]
  /** See `NameKind`. */
  readonly ranks: number[]
}

/**
 * Takes documents apart, one after the other. What is asked of it is about the last one. The same document has the same
 * terms and impacts everywhere: nothing of the index, or of other documents, enters.
 */
export class Analyser {
  /** All words met so far, terms among them: a term is the number of a word. */
  readonly words = new Words()
  /** The document's different terms: the first `termCount`. */
  terms = new Uint32Array(64)
  termCount = 0
  /** Different words as written that are not their own terms: what beginnings and guesses are compared with. */
  readonly spellings: number[] = []
  /** What names the whole document. */
  readonly names: Names = { hashes: [], ranks: [] }
  readonly #name = new NameHash()
  readonly #compound = new Compound()
  /** The number of the document: what belongs to others is not looked at. */
  #document = 0
  /** By word: the term it occurs as + 1, or 0 where that is not known yet. */
  #termOf = new Uint32Array(256)
  /** By term, and by word as written: the last document that held it; for terms, with its weight there. */
  #heldBy = new Uint32Array(256)
  #writtenIn = new Uint32Array(256)
  #weights = new Float64Array(256)
  /** Terms of the field, one for each occurrence. */
  #occurrences = new Uint32Array(256)
  #occurred = 0
  /** How long the field is, in words. */
  #length = 0
  /** Parts of the field: where each ends, and how many times an occurrence counts. */
  readonly #partEnds: number[] = []
  readonly #partWeights: number[] = []
  /** The text that is read is a name. */
  #isName = false
  readonly #nameOnly = {
    word: (text: string, start: number, end: number): void => this.#name.add(text, start, end),
    run: (run: string): void => this.#name.add(run, 0, run.length),
    tail: (): void => {},
  }

  /** Takes a document apart. */
  take({ id, title, aliases, summary, text, aliasWeight, weighted = [] }: SearchDocument): void {
    this.#document += 1
    this.termCount = 0
    this.spellings.length = 0
    this.names.hashes.length = 0
    this.names.ranks.length = 0
    const ofAliases = aliasWeight === undefined ? ALIASES : { ...ALIASES, weight: aliasWeight }
    for (const alias of aliases) {
      this.#readName(alias, NameKind.alias)
      this.#settle(ofAliases)
    }
    this.#readName(title, NameKind.title)
    this.#settle(TITLE)
    this.#name.clear()
    scan(id, this.#nameOnly)
    this.#noteName(NameKind.id)
    this.#read(summary, 1)
    this.#settle(SUMMARY)
    this.#read(text, 1)
    for (const part of weighted) this.#read(part.text, part.weight)
    this.#settle(TEXT)
  }

  /** A term's impact, from 1 to `MAX_IMPACT`: its weight, saturated and quantised. */
  impact(term: number): number {
    const weight = this.#weights[term] as number
    return Math.max(1, Math.round((MAX_IMPACT * weight) / (SATURATION + weight)))
  }

  /** Part of `scan`: a word or number. */
  word(text: string, start: number, end: number, hasDigit: boolean, bond: boolean): void {
    if (!bond) this.#settleCompound()
    this.#compound.add(text, start, end, hasDigit)
    this.#length += 1
    if (this.#isName) this.#name.add(text, start, end)
    const word = this.#numberOf(text, start, end)
    if (hasDigit) this.#occur(word)
    else this.#written(word, text, start, end)
  }

  /** Part of `scan`: characters of an unspaced script. */
  run(run: string): void {
    this.#settleCompound()
    if (this.#isName) this.#name.add(run, 0, run.length)
    const occur = (gram: string) => this.#occur(this.#numberOf(gram, 0, gram.length))
    grams(run, occur, (single) => {
      occur(single)
      this.#length += 1
    })
  }

  /** Part of `scan`: what follows a short word and its apostrophe. */
  tail(text: string): void {
    this.#written(this.#numberOf(text, 0, text.length), text, 0, text.length)
  }

  #readName(text: string, rank: number): void {
    this.#name.clear()
    this.#isName = true
    this.#read(text, 1)
    this.#isName = false
    this.#noteName(rank)
  }

  #noteName(rank: number): void {
    if (this.#name.empty) return
    this.names.hashes.push(this.#name.value)
    this.names.ranks.push(rank)
  }

  /** Reads a part of a field, of which each occurrence counts `weight` times. */
  #read(text: string, weight: number): void {
    if (text === '') return
    scan(text, this)
    this.#settleCompound()
    this.#partEnds.push(this.#occurred)
    this.#partWeights.push(weight)
  }

  /** Gives the terms of a field their worth. */
  #settle(field: Field): void {
    const worth = worthOf(field, this.#length)
    let at = 0
    for (let part = 0; part < this.#partEnds.length; part++) {
      const end = this.#partEnds[part] as number
      const counted = worth * (this.#partWeights[part] as number)
      for (; at < end; at++) this.#add(this.#occurrences[at] as number, counted)
    }
    this.#partEnds.length = 0
    this.#partWeights.length = 0
    this.#occurred = 0
    this.#length = 0
  }

  #add(term: number, worth: number): void {
    if (this.#heldBy[term] !== this.#document) {
      this.#heldBy[term] = this.#document
      this.#weights[term] = worth
      if (this.termCount === this.terms.length) this.terms = grown(this.terms, Uint32Array)
      this.terms[this.termCount++] = term
    } else this.#weights[term] = (this.#weights[term] as number) + worth
  }

  #occur(term: number): void {
    if (this.#occurred === this.#occurrences.length) this.#occurrences = grown(this.#occurrences, Uint32Array)
    this.#occurrences[this.#occurred++] = term
  }

  /** A word of letters: it occurs as its term, and is a spelling where that is another. */
  #written(word: number, text: string, start: number, end: number): void {
    let term = (this.#termOf[word] as number) - 1
    if (term < 0) {
      const written = text.slice(start, end)
      const stemmed = stem(written)
      term = stemmed === written ? word : this.#numberOf(stemmed, 0, stemmed.length)
      this.#termOf[word] = term + 1
    }
    this.#occur(term)
    if (term === word || this.#writtenIn[word] === this.#document) return
    this.#writtenIn[word] = this.#document
    this.spellings.push(word)
  }

  #numberOf(text: string, start: number, end: number): number {
    const number = this.words.number(text, start, end)
    if (number === this.#termOf.length) {
      this.#termOf = grown(this.#termOf, Uint32Array)
      this.#heldBy = grown(this.#heldBy, Uint32Array)
      this.#writtenIn = grown(this.#writtenIn, Uint32Array)
      this.#weights = grown(this.#weights, Float64Array)
    }
    return number
  }

  #settleCompound(): void {
    if (this.#compound.size > 1) {
      const joined = this.#compound.joined()
      if (joined !== undefined) this.#occur(this.#numberOf(joined, 0, joined.length))
    }
    this.#compound.clear()
  }
}
