/** What a member's name says: its words for people, and the unit its number is in. */

/** An attribute name split into its words and its unit. */
export interface NamedField {
  /** Words for people, in sentence case: `Orbital period`. */
  readonly label: string
  /** A sign such as `km`, or a key such as `days` that the words of the page translate. */
  readonly unit: string | undefined
}

/** Last words of a name that are a unit wherever they stand; longest first. */
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
  ['days', 'days'],
  ['hours', 'hours'],
  ['minutes', 'minutes'],
  ['seconds', 'seconds'],
  ['secs', 'seconds'],
  ['years', 'years'],
  ['months', 'months'],
  ['weeks', 'weeks'],
  ['earths', 'earths'],
  ['jupiters', 'jupiters'],
  ['solar', 'suns'],
  ['suns', 'suns'],
  ['gyr', 'Gyr'],
  ['myr', 'Myr'],
  ['deg', '°'],
  ['degrees', '°'],
  ['arcsec', '″'],
  ['km', 'km'],
  ['kg', 'kg'],
  ['au', 'au'],
  ['pc', 'pc'],
  ['ly', 'lightYears'],
  ['nm', 'nm'],
  ['mm', 'mm'],
  ['cm', 'cm'],
  ['hz', 'Hz'],
  ['khz', 'kHz'],
  ['mhz', 'MHz'],
  ['ghz', 'GHz'],
  ['kw', 'kW'],
  ['mw', 'MW'],
  ['hpa', 'hPa'],
  ['bytes', 'B'],
  ['mb', 'MB'],
  ['gb', 'GB'],
  ['usd', 'USD'],
  ['eur', 'EUR'],
]

/** One letter is a unit only behind a word that fits it. */
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
 * Takes a member's name apart. With `isNumber` false no unit is looked for: the last word of a text's name is a word.
 */
export function namedField(name: string, isNumber: boolean): NamedField {
  const words = wordsOf(name)
  const unit = isNumber ? unitOf(words) : undefined
  const kept = unit === undefined ? words : words.slice(0, words.length - unit.words)
  return { label: sentence(kept.length === 0 ? words : kept), unit: unit?.sign }
}

/** Numbers that name something rather than measure it: no digit groups. */
export function isLabelNumber(name: string): boolean {
  return LABELS.test(wordsOf(name).at(-1) ?? '')
}

/** Last words of the names of numbers that are not counted with: years, and what registers give out. */
const LABELS =
  /^(?:year|number|no|nr|ids?|codes?|zip|postcode|isbn\d*|e?issn|ean\d*|gtin\d*|upc|oclc|pmid|orcid|isni|phone|telephone|fax)$/i

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

/** First word with a capital, the others small unless they are abbreviations. */
function sentence(words: readonly string[]): string {
  const text = words
    .map((word) => (word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase()))
    .join(' ')
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
