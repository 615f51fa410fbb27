/** Function words of questions in English and German, which say nothing about what is sought. */
import { fold } from './fold.ts'
import { stem } from './stem.ts'

const ENGLISH = `
  a about after again against all also am an and any anybody anyone anything are arent as at be because been before being between
  both but by called can cant could couldnt did didnt do does doesnt doing done dont down during each ever every everything find
  for from get give got had has hasnt have havent having he her here him his how hows i if im in into is isnt it its itself ive
  just know known let lets list many may me might mine more much must my named no nobody nor not nothing of off on once only or
  other our out over own please shall she should shouldnt show so some somebody someone something such tell than that thats the
  their them then there theres these they theyre thing things this those through to too under until up us very was wasnt we were
  werent what whats when where wheres whether which while who whom whos whose why will with wont would wouldnt yet you your
  youre`

const GERMAN = `
  aber alle allem allen aller alles als also am an ans auch auf aus bei beim bin bis bist bitte da dann das dass dein deine dem
  den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es
  etwas euch finde für gab gegen genannt gib gibt gibts hab habe haben hat hatte hatten heißt hier ich ihm ihn ihnen ihr ihre ihrem
  ihren ihrer im in ins irgendein irgendeine irgendwas ist ja jede jedem jeden jeder jedes jemand kann kannst kein keine keinem
  keinen keiner kennst kennt können könnte liste man mehr mein meine mich mir mit muss müssen nach nenne nicht nichts noch nur ob
  oder ohne sag sage schon sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte sondern über um und uns
  unser unsere unter viel viele vom von vor war waren warum was weil weiß welche welchem welchen welcher welches wem wen wenn
  wer werden weshalb wessen wie wieso will wir wird wo woher wohin worden wurde wurden zeig zeige zu zum zur zwischen`

/** Function words of German that are as often other words of English, so that they do not tell the language. */
const UNSURE = 'bin den die hat man war'

const [ENGLISH_WORDS, GERMAN_WORDS, UNSURE_WORDS] = [ENGLISH, GERMAN, UNSURE].map(
  (words) => new Set(fold(words).trim().split(/\s+/)),
) as [Set<string>, Set<string>, Set<string>]
const ONLY_ENGLISH = ENGLISH_WORDS.difference(GERMAN_WORDS)
const ONLY_GERMAN = GERMAN_WORDS.difference(ENGLISH_WORDS).difference(UNSURE_WORDS)
const TERMS = new Set([...ENGLISH_WORDS, ...GERMAN_WORDS].map(stem))

/** Returns those of the folded words that are function words: English ones if some and most of them are only English. */
export function functionWords(words: readonly string[]): ReadonlySet<string> {
  const [english, german] = [ONLY_ENGLISH, ONLY_GERMAN].map((known) =>
    words.filter((word) => known.has(word)),
  )
  const isEnglish = english !== undefined && english.length > 0 && english.length >= (german?.length ?? 0)
  const known = isEnglish ? ENGLISH_WORDS : GERMAN_WORDS
  return new Set(words.filter((word) => known.has(word)))
}

/** Reports whether a term is the stem of a function word. */
export function isFunctionTerm(term: string): boolean {
  return TERMS.has(term)
}
