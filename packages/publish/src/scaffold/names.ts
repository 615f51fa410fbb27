/** Recognizes the meaning of file and column names in the languages that most tables use. */

/** Splits a name into lower-case words without accents or punctuation. `Betriebs-Nr.` gives betriebs and nr. */
export function wordsOf(name: string): string[] {
  return plain(name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

const ID_WORDS = new Set(
  'id key code slug uuid guid nr no nummer kennung kurzel schlussel isbn isbn13 issn ean gtin sku iban doi ref pk identifier codigo clave matricule'.split(
    ' ',
  ),
)

/** Reports whether a column is named like an id. `number` alone may be a count, unlike `inventory number`. */
export function isIdName(name: string): boolean {
  const [last = '', ...others] = wordsOf(name).toReversed()
  return ID_WORDS.has(last) || (/^num(?:ber)?$/.test(last) && others.length > 0 && !isPartialName(name))
}

/** Returns the name of an id's owner, such as customer for `customer_id`, or an empty string if there is none. */
export function ownerOfId(name: string): string {
  return wordsOf(name)
    .slice(0, isIdName(name) ? -1 : undefined)
    .join(' ')
}

const TITLES =
  'title name label caption headline titel bezeichnung titre nom nombre titulo nome naam namn navn nimi nazwa nazev название наименование 名称 名前'.split(
    ' ',
  )

/** Reports whether a column is named like the numbers of books and goods, which are digits with a check digit. */
export function isTradeName(name: string): boolean {
  return wordsOf(name).some((word) => /^(?:isbn|issn|ean|gtin|upc)(?:8|1[0-4])?$/.test(word))
}

/** Returns the rank of a name for a title column (0 is best), or undefined if it does not suit one. */
export function titleRank(name: string): number | undefined {
  const words = wordsOf(name)
  const last = (words.at(-1) ?? '').replace(/1$/, '')
  if (words.length === 1 && TITLES.includes(last)) return TITLES.indexOf(last)
  if (isPartialName(name)) return undefined
  return TITLES.includes(last) || /(?:title|name|titel|bezeichnung)$/.test(last) ? TITLES.length : undefined
}

/** Reports whether a column is named like a part or a property of something, such as its first name or address. */
export function isPartialName(name: string): boolean {
  const text = wordsOf(name).join('')
  return (
    isSummaryName(name) ||
    /^(?:first|last|middle|vor|nach|user|file|given|family|host|nick|datei|domain|class)/.test(text) ||
    /(?:address|adresse|street|strasse|(?:phone|telefon|telefax|fax|mobile|page|house)(?:number)?|notes?|comments?|remarks?|bemerkung(?:en)?)$/.test(
      text,
    )
  )
}

const SUMMARIES =
  /^(?:summary|description|abstract|about|teaser|beschreibung|kurzbeschreibung|zusammenfassung|resume|descripcion|descrizione|omschrijving|desc)$/

/** Reports whether a column is named like a summary. */
export function isSummaryName(name: string): boolean {
  return SUMMARIES.test(wordsOf(name).join(' '))
}

const LISTS =
  /^(?:tags?|authors|genres?|keywords?|categories|languages|actors|cast|topics|labels|colou?rs|ingredients|aliases|themes|subjects|countries|schlagworte|stichworte|autoren|sprachen|themen|kategorien|zutaten|auteurs|langues|etiquetas)$/

/** Reports whether a column's name suggests that each cell contains several values. */
export function isListName(name: string): boolean {
  return LISTS.test(wordsOf(name).at(-1) ?? '')
}

const QUANTITIES =
  /^(?:price|prices|cost|costs|amount|amounts|total|subtotal|sum|fee|tax|vat|salary|revenue|balance|rating|ratings|score|rate|average|avg|mean|percent|percentage|share|ratio|weight|mass|height|width|length|depth|area|volume|distance|speed|size|temperature|temp|year|lat|latitude|lon|lng|long|longitude|elevation|altitude|age|count|quantity|qty|preis|preise|einzelpreis|betrag|summe|gesamt|netto|brutto|mwst|umsatz|kosten|gebuhr|gewicht|hohe|breite|lange|breitengrad|langengrad|tiefe|flache|menge|anzahl|jahr|prix|montant|poids|taille|annee|precio|importe|peso|prezzo|importo|prijs|bedrag)$/

/** Reports whether a column is named like a measure or an amount, whose trailing zeros are meaningless. */
export function isQuantityName(name: string): boolean {
  return wordsOf(name).some((word) => QUANTITIES.test(word))
}

/** Words after the name of a coordinate that say how it is written. */
const DEGREES = /^(?:deg|degrees?|grad|dec|decimal|dd|wgs|wgs84|84|[nsewxy])$/

/** Returns the coordinate that a column is named like, or undefined if it is none. Short words have other meanings, too. */
export function coordinateOf(name: string): 'latitude' | 'longitude' | undefined {
  const words = wordsOf(name).filter((word) => !DEGREES.test(word))
  const has = (whole: RegExp, short: RegExp) =>
    words.some((word) => whole.test(word)) || short.test(words.at(-1) ?? '')
  if (has(/^(?:latitud(?:e|ine)?|breitengrad)$/, /^(?:lat|breite)$/)) return 'latitude'
  return has(/^(?:longitud(?:e|ine)?|langengrad)$/, /^(?:lon|lng|long|lange)$/) ? 'longitude' : undefined
}

/** Reports whether a column is named like those who made something, by which people know it. */
export function isCreatorName(name: string): boolean {
  return /(?:^| )(?:authors?|artists?|creators?|directors?|composers?|writers?|autor(?:en|e|es|a)?|verfasser|kunstler|regie|auteurs?|artistes?)$/.test(
    wordsOf(name)
      .join(' ')
      .replace(/ names?$/, ''),
  )
}

/** Reports whether a column is named like a year. */
export function isYearName(name: string): boolean {
  return wordsOf(name).some((word) => /^(?:years?|yr|jahr|\w+jahr|annee|ano|anno|jaar)$/.test(word))
}

/** Reports whether a column's name suggests that it contains picture URLs. */
export function isPictureName(name: string): boolean {
  return /image|picture|photo|foto|bild|cover|thumb|logo/i.test(name)
}

/** Converts a name to a type name of at most 60 lower-case letters, digits and hyphens, or `world` if nothing is left. */
export function slugOf(name: string): string {
  const slug = plain(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 60)
    .replace(/-+$/, '')
  return slug === '' ? 'world' : slug
}

/** Converts a slug to a display name with spaces and an initial capital. */
export function titleOf(slug: string): string {
  const words = slug.replace(/-/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Irregular plurals, matched at the end of a word. */
const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  children: 'child',
  women: 'woman',
  men: 'man',
  mice: 'mouse',
  lenses: 'lens',
}
const UNCHANGED = /(?:ss|us|is|series|species|news|data|media|sales|analytics|logistics)$/
/** Words in -ie and -se whose plurals only add an s. */
const ADDS_S =
  /(?:movie|cookie|zombie|calorie|genie|prairie|selfie|brownie|rookie|(?:ou|au|a|en|ur|ea|oi|i|on|r)se|ache)s$|(?:^|-)(?:pie|tie|lie)s$/

/** Returns the singular of a word, such as movie for `movies`, country for `countries` and status for `status`. */
export function singular(word: string): string {
  for (const [many, one] of Object.entries(IRREGULAR))
    if (word === many || word.endsWith(`-${many}`)) return word.slice(0, -many.length) + one
  if (UNCHANGED.test(word)) return word
  if (ADDS_S.test(word)) return word.slice(0, -1)
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y')
  if (/(?:ss|us|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2)
  return word.replace(/(?<=[a-z0-9])s$/, '')
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase()
}
