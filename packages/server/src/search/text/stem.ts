/** Light stemming for words in Latin script, whatever their language: plural and verb endings are removed. */

/** Shorter words stay as they are: without two letters they could not be told apart. */
const SHORTEST = 4
const LATIN = /^[a-z]+$/
const VOWEL = /[aeiouy]/

/** The stem of a folded word. Words with digits or of other scripts are their own stems. */
export function stem(word: string): string {
  if (word.length < SHORTEST || !LATIN.test(word)) return word
  return withoutE(withoutVerbEnding(withoutPlural(word)))
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word
  if (word.endsWith('ies') && word.length > SHORTEST) return `${word.slice(0, -3)}y`
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word
  return word.slice(0, -1)
}

function withoutVerbEnding(word: string): string {
  const base = word.endsWith('ing') ? word.slice(0, -3) : word.endsWith('ed') ? word.slice(0, -2) : word
  if (base === word || base.length < 3 || !VOWEL.test(base)) return word
  const last = base[base.length - 1] as string
  if (last === base[base.length - 2] && !'lsz'.includes(last)) return base.slice(0, -1)
  return base
}

function withoutE(word: string): string {
  return word.length > SHORTEST && word.endsWith('e') ? word.slice(0, -1) : word
}
