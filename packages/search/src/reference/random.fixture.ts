/** Random documents and queries, reproducible from a seed. */
import type { SearchDocument } from '../port/document.ts'
import type { SynonymRule } from '../text/synonyms.ts'

/** Returns a random integer from 0 to `limit - 1`. */
export type Dice = (limit: number) => number

/** Creates dice whose rolls are determined by the seed. */
export function dice(seed: number): Dice {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const SYLLABLES = 'ka lo mi ra ten sol ving ed mars ber lin tau on is ter ing la nu pho bos'.split(' ')
const OTHERS = [
  '海王星',
  '星海',
  '海',
  'Ωμέγα',
  'Плутон',
  'плутно',
  'हिन्दी',
  "o'hare",
  'NGTS-21',
  '1999',
  '19',
  '4.2',
  '16',
  'gb',
  '16GB',
  'KDL32M4000',
  '22LV505',
  'LV505',
  'M4000',
  'spider-man',
  'ไทยแลนด์',
]

/** Returns a function that picks words with a skewed frequency distribution, as in natural language. */
export function vocabularyOf(roll: Dice, size: number): (roll: Dice) => string {
  const words = Array.from({ length: size }, () =>
    Array.from({ length: 1 + roll(4) }, () => SYLLABLES[roll(SYLLABLES.length)]).join(''),
  )
  words.push(...OTHERS)
  // Function words are among the most frequent ones.
  words.unshift('the', 'is')
  return (roll) => words[Math.floor(words.length * (roll(1_000_000) / 1_000_000) ** 3)] as string
}

/** Returns a document of random words. */
export function documentOf(roll: Dice, word: (roll: Dice) => string, id: string): SearchDocument {
  const text = (longest: number) => Array.from({ length: roll(longest + 1) }, () => word(roll)).join(' ')
  return {
    type: `t:${'abc'[roll(3)]}`,
    id,
    title: text(3),
    aliases: roll(4) === 0 ? [text(2)] : [],
    summary: text(5),
    text: text(12),
    ...(roll(4) === 0 && {
      weighted: [{ text: text(4), weight: (1 + roll(40)) / 10 }],
      aliasWeight: 1 + roll(8),
    }),
  }
}

/** Returns a query of one to four words, some of them truncated or misspelt. */
export function queryOf(roll: Dice, word: (roll: Dice) => string): string {
  const words = Array.from({ length: 1 + roll(4) }, () => misspelt(roll, word(roll)))
  return words.join([' ', ' ', ' ', ' ', ' ', ' ', '', '-'][roll(8)])
}

/** Returns synonym rules for words and phrases, some of them bidirectional, and some for a type. */
export function rulesOf(roll: Dice, word: (roll: Dice) => string): SynonymRule[] {
  const phrase = () => Array.from({ length: 1 + roll(2) }, () => word(roll)).join(' ')
  const phrases = () => Array.from({ length: 1 + roll(3) }, phrase)
  return Array.from({ length: 30 }, () => {
    const from = phrases()
    const to = roll(2) ? [...from, phrase()] : phrases()
    return { from, to, ...(roll(3) === 0 && { type: `t:${'abc'[roll(3)]}` }) }
  })
}

function misspelt(roll: Dice, word: string): string {
  const at = roll(word.length)
  const kind = roll(10)
  if (kind === 0) return word.slice(0, at + 1)
  if (kind === 1) return word.slice(0, at) + word.slice(at + 1)
  if (kind === 2) return `${word.slice(0, at)}e${word.slice(at)}`
  if (kind === 3) return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
  return word
}
