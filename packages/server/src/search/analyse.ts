/** Taking documents apart into weighted terms. */
import { ExactRank, type SearchDocument, titleKey } from './document.ts'
import { stem } from './stem.ts'
import { Compound, grams, scan } from './tokens.ts'

/** A document's terms, and how well each describes it. */
export interface Analysis {
  /** Impacts from 1 to `MAX_IMPACT`, by term. */
  readonly impacts: Map<string, number>
  /** Words as written, where they differ from their stem: what beginnings and guesses are compared with. */
  readonly spellings: Set<string>
  /** What names the whole document: keys (see `titleKey`) with an `ExactRank`. */
  readonly names: Map<string, number>
}

/** The largest quantised impact: one byte. */
export const MAX_IMPACT = 255

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

/** Titles and names are short and chosen; a summary is chosen; other text is as it comes. */
const TITLE: Field = { weight: 5, dilution: 0.5, pivot: 5, short: 0 }
const ALIASES: Field = { weight: 4, dilution: 0.5, pivot: 5, short: 0 }
const SUMMARY: Field = { weight: 1.5, dilution: 0.6, pivot: 40, short: 5 }
const TEXT: Field = { weight: 1, dilution: 0.7, pivot: 100, short: 5 }

/** BM25's k1: how soon more occurrences stop counting more. */
const SATURATION = 2

/**
 * A term as documents are taken apart: interned, so that an occurrence costs one look-up of the word as written, however
 * many things are then done with its term.
 */
export interface Slot {
  readonly term: string
  /** Of the document that was `document`; worthless in others. */
  weight: number
  document: number
  /** Free for whoever collects terms: its number for the term, and who it is. */
  number: number
  owner: object | undefined
}

/** A word as written. */
interface Written {
  readonly slot: Slot
  /** It differs from its term. */
  readonly bent: boolean
  document: number
}

const slots = new Map<string, Slot>()
const written = new Map<string, Written>()
/** Words remembered before starting over: some tens of megabytes. */
const WORDS_KEPT = 200_000
/** How many documents were taken apart so far. */
let documents = 0

/** The terms of a document. The same document has the same ones everywhere: nothing of the index enters. */
export function analyse(document: SearchDocument): Analysis {
  const { slots: found, spellings, names } = takeApart(document)
  return {
    impacts: new Map(found.map((slot) => [slot.term, impactOf(slot)])),
    spellings: new Set(spellings),
    names,
  }
}

/** As `analyse`, without making maps: the slots are good until the next document. */
export function takeApart(document: SearchDocument): Analyser {
  if (written.size > WORDS_KEPT) {
    written.clear()
    slots.clear()
  }
  documents += 1
  const found = new Analyser()
  for (const alias of document.aliases) {
    found.field(alias, ALIASES)
    found.names.set(found.name, ExactRank.alias)
  }
  found.field(document.title, TITLE)
  found.names.set(found.name, ExactRank.title)
  found.names.set(titleKey(document.id), ExactRank.id)
  found.names.delete('')
  found.field(document.summary, SUMMARY)
  found.field(document.text, TEXT)
  return found
}

/** A slot's weight, saturated and quantised. */
export function impactOf({ weight }: Slot): number {
  return Math.max(1, Math.round((MAX_IMPACT * weight) / (SATURATION + weight)))
}

/** What `takeApart` collects. */
export class Analyser {
  /** Every term of the document, once. */
  readonly slots: Slot[] = []
  /** Words as written that differ from their terms, each once. */
  readonly spellings: string[] = []
  readonly names = new Map<string, number>()
  /** The `titleKey` of the last field. */
  name = ''
  readonly #compound = new Compound()
  readonly #occurrences: Slot[] = []
  #length = 0

  field(text: string, { weight, dilution, pivot, short }: Field): void {
    this.name = ''
    if (text === '') return
    this.#length = 0
    scan(text, this)
    this.#settle()
    const worth = weight / ((this.#length + short) / (pivot + short)) ** dilution
    for (const slot of this.#occurrences) {
      if (slot.document !== documents) {
        slot.document = documents
        slot.weight = 0
        this.slots.push(slot)
      }
      slot.weight += worth
    }
    this.#occurrences.length = 0
  }

  word(word: string, hasDigit: boolean, bond: boolean): void {
    if (!bond) this.#settle()
    this.#compound.add(word)
    this.#length += 1
    this.#named(word)
    this.#add(word, hasDigit)
  }

  run(run: string): void {
    this.#settle()
    this.#named(run)
    grams(
      run,
      (pair) => this.#add(pair, true),
      (single) => {
        this.#add(single, true)
        this.#length += 1
      },
    )
  }

  tail(text: string): void {
    this.#add(text, false)
  }

  #named(part: string): void {
    this.name = this.name === '' ? part : `${this.name} ${part}`
  }

  #add(word: string, exact: boolean): void {
    let known = written.get(word)
    if (known === undefined) {
      const term = exact ? word : stem(word)
      known = { slot: slotOf(term), bent: term !== word, document: 0 }
      written.set(word, known)
    }
    if (known.bent && known.document !== documents) {
      known.document = documents
      this.spellings.push(word)
    }
    this.#occurrences.push(known.slot)
  }

  #settle(): void {
    if (this.#compound.size > 1) {
      const joined = this.#compound.joined()
      if (joined !== undefined) this.#add(joined, true)
    }
    this.#compound.clear()
  }
}

function slotOf(term: string): Slot {
  let slot = slots.get(term)
  if (slot === undefined) {
    slot = { term, weight: 0, document: 0, number: 0, owner: undefined }
    slots.set(term, slot)
  }
  return slot
}
