/** Derives a label, and the unit of a number, from the name of a member. */

/** Units that a name spells as they are written, except for case. */
const PLAIN =
  'days hours minutes seconds years months weeks earths jupiters suns Gyr Myr km kg au pc nm mm cm Hz kHz MHz GHz kW MW hPa MB GB USD EUR'

/** Last words of a name that are always a unit; longest first. */
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

/** Units of one letter, each valid only after a word that fits it. */
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
 * Splits the name of a member into a label in sentence case (`Orbital period`), and a unit as a sign such as `km` or a key
 * such as `days`. With `isNumber` false there is no unit: the last word of a text's name is a word.
 */
export function namedField(name: string, isNumber: boolean): { label: string; unit: string | undefined } {
  const words = wordsOf(name)
  const unit = isNumber ? unitOf(words) : undefined
  const kept = unit === undefined ? words : words.slice(0, words.length - unit.words)
  return { label: sentence(kept.length === 0 ? words : kept), unit: unit?.sign }
}

/** Reports whether numbers of this name are labels rather than measures: they have no digit groups. */
export function isLabelNumber(name: string): boolean {
  return LABELS.test(wordsOf(name).at(-1) ?? '')
}

/** Last words of the names of numbers that are labels: years, and numbers that registers assign. */
const LABELS =
  /^(?:year|number|no|nr|ids?|codes?|zip|postcode|isbn\d*|e?issn|ean\d*|gtin\d*|upc|oclc|pmid|orcid|isni|phone|telephone|fax)$/i

/** Reports whether a number is a coordinate in the sky or on a body, which says little about the entity. */
export function isCoordinate(name: string): boolean {
  return /^(?:lat|lon|lng|latitude|longitude|ra|dec)(?:Deg)?$/i.test(name)
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
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

/** Joins words in sentence case; abbreviations stay in capitals. */
function sentence(words: readonly string[]): string {
  const text = words
    .map((word) => (word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase()))
    .join(' ')
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
