/** Derives a label, and for numbers also a unit, from the name of a member. */

/** Units whose spelling in member names differs from their symbol only in case. */
const PLAIN =
  'days hours minutes seconds years months weeks earths jupiters suns Gyr Myr km kg au pc nm mm cm Hz kHz MHz GHz kW MW hPa MB GB USD EUR'

/** Name endings that are always a unit, and the symbol of each unit. Endings of several words come first. */
const SUFFIXES: readonly (readonly [string, string])[] = [
  ['light years', 'lightYears'],
  ['metres per second', 'm/s'],
  ['km per s', 'km/s'],
  ['sq km', 'km²'],
  ['km2', 'km²'],
  ['km3', 'km³'],
  ['kms', 'km/s'],
  ['ms2', 'm/s²'],
  ['percent', '%'],
  ['pct', '%'],
  ['secs', 'seconds'],
  ['solar', 'suns'],
  ['deg', '°'],
  ['degrees', '°'],
  ['arcsec', '″'],
  ['ly', 'lightYears'],
  ['bytes', 'B'],
  ...PLAIN.split(' ').map((sign) => [sign.toLowerCase(), sign] as const),
]

/** Short units. Each is recognised only after a word that suggests it. */
const LETTERS: readonly (readonly [RegExp, string, string])[] = [
  [/temp/, 'c', '°C'],
  [/temp/, 'f', '°F'],
  [/temp/, 'k', 'K'],
  [/elev|height|length|depth|diam|altitude|width|aperture|distance|size|radius|range|span/, 'm', 'm'],
  [/mass|weight/, 'g', 'g'],
  [/mass|weight/, 't', 't'],
  [/period|duration|time/, 's', 'seconds'],
  [/speed|velocity/, 'kmh', 'km/h'],
]

/**
 * Splits the name of a member into a label in sentence case, such as `Orbital period`, and a unit. The unit is a symbol such
 * as `km` or a key such as `days`. If `isNumber` is false, there is no unit, and the last word is part of the label.
 */
export function namedField(name: string, isNumber: boolean): { label: string; unit: string | undefined } {
  const words = wordsOf(name)
  const unit = isNumber ? unitOf(words) : undefined
  const kept = unit === undefined ? words : words.slice(0, words.length - unit.words)
  return { label: sentence(kept.length === 0 ? words : kept), unit: unit?.sign }
}

/** Reports whether numbers with this name are labels rather than measures. Labels have no digit grouping. */
export function isLabelNumber(name: string): boolean {
  return LABELS.test(wordsOf(name).at(-1) ?? '')
}

/** Last words of the names of numbers that are labels: assigned identifiers. */
const LABELS =
  /^(?:number|no|nr|ids?|codes?|zip|postcode|isbn\d*|e?issn|ean\d*|gtin\d*|upc|oclc|pmid|orcid|isni|phone|telephone|fax)$/i

/** Reports whether a name or a title is that of a year: its first or last word is one, and it is no amount per year. */
export function isYearName(name: string): boolean {
  const words = wordsOf(name)
  const isYear = (word = '') => YEAR.test(word) && !/^light/i.test(word)
  return (isYear(words[0]) || isYear(words.at(-1))) && !words.some((word) => AMOUNT.test(word))
}

/** Words for a year in the languages of the page, and words that make an amount of a name with a year. */
const YEAR = /^(?:\p{L}*(?:year|jahr)|año|année|سنة)$/iu
const AMOUNT =
  /^(?:per|pro|por|par|each|every|light|count|rank|total|share|growth|change|income|sales|average|mean)$/i

/** Reports whether a name is that of a coordinate on a body or in the sky, which says little about an entity. */
export function isCoordinate(name: string): boolean {
  return /^(?:lat|lon|lng|latitude|longitude|ra|dec)(?:Deg)?$/i.test(name)
}

/** Units that `Intl` can translate, by their ECMA-402 names. */
const SPOKEN = new Set(['day', 'hour', 'minute', 'second', 'week', 'month', 'year'])

/** Formats a unit for display after a number. `units` holds the words of the language for units that `Intl` does not know. */
export function unitText(unit: string, language: string, units: Readonly<Record<string, string>>): string {
  if (Object.hasOwn(units, unit)) return units[unit] ?? unit
  const name = unit.replace(/s$/, '')
  if (name === unit || !SPOKEN.has(name)) return unit
  const format = new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long' })
  // In every language of the page, 100 takes the same plural form as most numbers.
  return format.formatToParts(100).find(({ type }) => type === 'unit')?.value ?? unit
}

/** Returns the space between a number and its unit. The signs ° and ″ directly follow the number. */
export function gapBefore(unit: string): string {
  return unit === '°' || unit === '″' ? '' : '\u00a0'
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '')
}

function unitOf(words: readonly string[]): { sign: string; words: number } | undefined {
  if (words.length < 2) return undefined
  const lower = words.map((word) => word.toLowerCase())
  for (const [suffix, sign] of SUFFIXES) {
    const count = suffix.split(' ').length
    if (count < words.length && lower.slice(-count).join(' ') === suffix) return { sign, words: count }
  }
  const before = lower.slice(0, -1).join(' ')
  const letter = LETTERS.find(([fits, last]) => last === lower.at(-1) && fits.test(before))
  return letter === undefined ? undefined : { sign: letter[2], words: 1 }
}

/** Joins words in sentence case. Abbreviations keep their capitals. */
function sentence(words: readonly string[]): string {
  const text = words
    .map((word) => (word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase()))
    .join(' ')
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
