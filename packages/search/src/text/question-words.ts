/** Words by which questions compare, count and group, in English and German. Lookups take folded words. */
import { fold } from './fold.ts'

/** Phrases of each role. `not` excludes something, which no rule reads; `filler` says nothing about what is sought. */
const PHRASES = {
  over: 'more than|greater than|larger than|bigger than|higher than|above|over|mehr als|größer als|höher als|über',
  under: 'less than|fewer than|smaller than|lower than|below|under|weniger als|kleiner als|unter',
  least: 'at least|mindestens',
  most: 'at most|höchstens|maximal',
  after: 'after|nach',
  before: 'before|vor',
  since: 'since|seit|ab',
  until: 'up to|until|bis',
  orEarlier: 'or before|or earlier|oder früher|oder davor',
  orLater: 'or after|or later|oder später|oder danach',
  between: 'between|zwischen',
  and: 'and|und',
  count: 'how many|number of|count of|wie viele|wieviele|anzahl der|anzahl',
  per: 'for each|per|pro|je',
  near: 'close to|nearest to|closest to|in der nähe von|nahe|near|bei',
  by: 'by|von|durch',
  greatest: 'most|meisten|meiste',
  fewest: 'fewest|least|wenigsten|wenigste',
  not: `no|not|non|none|never|without|except|excluding|neither|nor|but|or|other|only|isnt|arent|wasnt|werent|doesnt|dont|didnt|
    hasnt|havent|nicht|kein|keine|keinen|keinem|keiner|keines|nie|ohne|außer|oder|andere|anderen|nur|weder`,
  filler: `a|an|the|all|any|show|list|find|give|me|what|which|who|is|are|was|were|does|do|did|has|have|had|there|with|of|from|in|
    on|at|to|that|please|its|their|der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines|alle|allen|zeige|zeig|finde|liste|mir|
    welche|welcher|welches|welchen|was|wer|ist|sind|war|waren|wurde|wurden|worden|hat|haben|hatte|gibt|es|mit|aus|im|am|an|auf|vom|
    bitte|sein|seine|welchem|still|currently|noch|derzeit|in this collection|in this world|in dieser sammlung`,
} as const

/** Role of a word or phrase in a question. */
export type QuestionWord = keyof typeof PHRASES

/** Roles by folded word or phrase. */
export const QUESTION_WORDS: ReadonlyMap<string, QuestionWord> = new Map(
  Object.entries(PHRASES).flatMap(([role, phrases]) =>
    phrases.split('|').map((phrase) => [fold(phrase).trim(), role as QuestionWord] as const),
  ),
)

/** Verbs of questions, each with the beginnings of the names of attributes that it stands for. */
export const VERBS =
  tableOf(`discovered discover found gefunden entdeckt entdeckte: discover | published released erschienen veröffentlicht: publi release |
  written wrote geschrieben schrieb verfasst: author writer | launched gestartet: launch start | born geboren: birth born |
  died gestorben starb: death died | founded established gegründet: found establish | built gebaut erbaut: built build construct |
  opened eröffnet: open | closed geschlossen: close | landed gelandet: land | made created geschaffen: creat made artist |
  directed: direct | orbiting orbits orbit umkreisen: orbit | named benannt: namedafter namesake`)

/** German nouns for measures and times, each with the English word that attributes are named with. */
export const ENGLISH_NOUNS =
  tableOf(`masse: mass | durchmesser: diameter | länge: length | höhe: height | tiefe: depth |
  entfernung: distance | temperatur: temperature | bewertung bewertungen: rating | sprache: language | jahr jahren: year |
  jahrzehnt jahrzehnten: decade | jahrhundert jahrhunderten: century`)

/** Words for amounts, as `hot` and `hotter` are for temperatures, each with the beginnings of the names of attributes. */
export const QUALITIES =
  tableOf(`far farther nearer closer weit weiter näher: distan | hot hotter warmer colder heiß heißer wärmer kälter: temperatur |
  heavy heavier lighter schwer schwerer leichter: mass | big bigger large larger smaller groß größer kleiner: radius diameter |
  high higher tall taller hoch höher: height elevation | long longer shorter lang länger kürzer: length | deep deeper tief tiefer:
  depth`)

/** Names of units, each with the symbols or names that a schema may give for it. */
export const UNIT_NAMES =
  tableOf(`kilometre kilometres kilometer kilometers kilometern: km | metre metres meter meters: m |
  mile miles meilen: mi miles | day days tag tage tagen: days d | hour hours stunde stunden: hours h | year years jahr jahre
  jahren: years yr | kilogram kilograms kilogramm: kg | tonne tonnes tonnen: t | kelvin kelvins: k | parsec parsecs: pc |
  percent prozent: % | ly lichtjahre lichtjahren: lightyears ly | ae: au`)

function tableOf(rows: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rows.split('|').flatMap((row) => {
      const [names = [], meant = []] = row.split(':').map((part) => fold(part).trim().split(/\s+/))
      return names.map((name) => [name, meant] as const)
    }),
  )
}
