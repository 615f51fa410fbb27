/** Naive document analysis with strings and maps, the reference for `Analyser`. */

import type { SearchDocument } from '../port/document.ts'
import { NameKind, normalizedName } from '../text/names.ts'
import { stem } from '../text/stem.ts'
import { scan } from '../text/tokeniser.ts'
import { isUnit } from '../text/units.ts'

/** Impacts, spellings and names of one document. */
export interface Analysis {
  /** Impacts by term. */
  readonly impacts: Map<string, number>
  /** Surface forms that differ from their stems. */
  readonly spellings: Set<string>
  /** `NameKind`s by `normalizedName`. */
  readonly names: Map<string, number>
}

const FIELDS = {
  title: { weight: 5, lengthNorm: 0.7, pivot: 5, smoothing: 0 },
  alias: { weight: 4, lengthNorm: 0.5, pivot: 5, smoothing: 0 },
  summary: { weight: 1.5, lengthNorm: 0.6, pivot: 40, smoothing: 5 },
  text: { weight: 1, lengthNorm: 0.7, pivot: 60, smoothing: 5 },
}

/** Analyses a document with strings and maps. */
export function analyse(document: SearchDocument): Analysis {
  const { type, id, title, aliases, summary, text, aliasWeight, weighted = [] } = document
  const weights = new Map<string, number>()
  const spellings = new Set<string>()
  const add = (
    parts: readonly (readonly [string, number])[],
    field: typeof FIELDS.text,
    isName = false,
    further: readonly string[] = [],
  ) => {
    const read = parts.map(([part, factor]) => ({ ...occurrencesIn(part, spellings, isName), factor }))
    const length = read.reduce((sum, part) => sum + part.length, 0)
    const { weight, lengthNorm, pivot, smoothing } = field
    const each = weight / ((length + smoothing) / (pivot + smoothing)) ** lengthNorm
    for (const { terms, factor } of read) {
      for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + each * factor)
    }
    for (const term of further) weights.set(term, (weights.get(term) ?? 0) + each)
  }
  for (const alias of aliases)
    add([[alias, 1]], { ...FIELDS.alias, weight: aliasWeight ?? FIELDS.alias.weight }, true)
  add([[title, 1]], FIELDS.title, true, beginningsOf(title))
  add([[summary, 1]], FIELDS.summary)
  add([[text, 1], ...weighted.map((part) => [part.text, part.weight] as const)], FIELDS.text)
  weights.set(`\u0004${type}`, FIELDS.title.weight)
  const names = new Map<string, number>()
  for (const alias of aliases) names.set(normalizedName(alias), NameKind.alias)
  names.set(normalizedName(title), NameKind.title)
  names.set(normalizedName(id), NameKind.id)
  names.delete('')
  const impacts = [...weights].map(
    ([term, weight]) => [term, Math.max(1, Math.round((255 * weight) / (2.5 + weight)))] as const,
  )
  return { impacts: new Map(impacts), spellings, names }
}

/** Returns an array with the title-prefix term of a title, or an empty array if the title is too short. */
function beginningsOf(title: string): string[] {
  const name = normalizedName(title)
  return name.length < 4 ? [] : [`\u0003${name.slice(0, 8).replace(/[\ud800-\udbff]$/, '')}`]
}

/** Returns the suffixes of a code that start at a boundary between letters and digits. */
function endsOf(code: string): string[] {
  const runs = code.match(/\p{N}+|\P{N}+/gu) ?? []
  return runs.slice(1).map((_, at) => runs.slice(at + 1).join(''))
}

/** Reports whether a search for the suffix `end` finds the word. */
export function isFoundBy(end: string, word: string): boolean {
  return !/\p{N}/u.test(word) || endsOf(word).includes(end)
}

function occurrencesIn(
  text: string,
  spellings: Set<string>,
  isName: boolean,
): { terms: string[]; length: number } {
  const terms: string[] = []
  let number = ''
  let length = 0
  let compound: string[] = []
  const endCompound = () => {
    const whole = compound.join('')
    const isCode = /\p{N}/u.test(whole) || compound.every((part) => part.length === 1)
    if (compound.length > 1 && compound.length <= 5 && whole.length <= 64) {
      if (isCode) terms.push(whole)
      else if (isName) addWord(whole)
    }
    compound = []
  }
  const addWord = (word: string) => {
    terms.push(stem(word))
    if (stem(word) !== word) spellings.add(word)
    if (word.length >= 7) spellings.add(`\u0002${[...word].reverse().join('')}`)
  }
  const addCode = (code: string) => {
    terms.push(code)
    if (endsOf(code).some((end) => end.length >= 3)) spellings.add(`\u0002${[...code].reverse().join('')}`)
  }
  scan(text, {
    word(source, start, end, hasDigit, bond) {
      if (!bond) endCompound()
      const word = source.slice(start, end)
      compound.push(word)
      length += 1
      if (hasDigit) addCode(word)
      else addWord(word)
      if (!hasDigit && !bond && number !== '' && isUnit(word, 0, word.length)) terms.push(number + word)
      number = hasDigit ? word : ''
    },
    run(run) {
      endCompound()
      number = ''
      const characters = [...run]
      length += characters.length
      terms.push(...characters)
      for (const [at, character] of characters.slice(1).entries()) terms.push(`${characters[at]}${character}`)
    },
    part: addWord,
  })
  endCompound()
  return { terms, length }
}
