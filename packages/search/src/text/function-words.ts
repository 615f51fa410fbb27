/** Function words of questions in English and German, which say nothing about what is sought. */
import { fold } from './fold.ts'
import { stem } from './stem.ts'

const ENGLISH = `
  a about after again against all also am an and any anybody anyone anything are as at be because been before being between both
  but by called can could did do does doing done down during each ever every everything find for from get give got had has have
  having he her here him his how i if in into is it its itself just know known let list many may me might mine more much must my
  named no nobody nor not nothing of off on once only or other our out over own please shall she should show so some somebody
  someone something such tell than that the their them then there these they thing things this those through to too under until
  up us very was we were what when where whether which while who whom whose why will with would yet you your`

const GERMAN = `
  aber alle allem allen aller alles als also am an ans auch auf aus bei beim bin bis bist bitte da dann das dass dein deine dem
  den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es
  etwas euch finde für gab gegen genannt gib gibt hab habe haben hat hatte hatten heißt hier ich ihm ihn ihnen ihr ihre ihrem
  ihren ihrer im in ins irgendein irgendeine irgendwas ist ja jede jedem jeden jeder jedes jemand kann kannst kein keine keinem
  keinen keiner kennst kennt können könnte liste man mehr mein meine mich mir mit muss müssen nach nenne nicht nichts noch nur ob
  oder ohne sag sage schon sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte sondern über um und uns
  unser unsere unter viel viele vom von vor war waren warum was weil weiß welche welchem welchen welcher welches wem wen wenn
  wer werden weshalb wessen wie wieso will wir wird wo woher wohin worden wurde wurden zeig zeige zu zum zur zwischen`

/** Words of German that are as often other words of English. */
const UNSURE = 'bin den die hat man war'

const [ENGLISH_WORDS, GERMAN_WORDS, UNSURE_WORDS] = [ENGLISH, GERMAN, UNSURE].map(
  (words) => new Set(fold(words).trim().split(/\s+/)),
) as [Set<string>, Set<string>, Set<string>]
const ONLY_ENGLISH = ENGLISH_WORDS.difference(GERMAN_WORDS)
const ONLY_GERMAN = GERMAN_WORDS.difference(ENGLISH_WORDS).difference(UNSURE_WORDS)
const TERMS = new Set([...ENGLISH_WORDS, ...GERMAN_WORDS].map(stem))

/** Returns those of the folded words that are function words: German ones if more of them are only German than only English. */
export function functionWords(words: readonly string[]): ReadonlySet<string> {
  const [english, german] = [ONLY_ENGLISH, ONLY_GERMAN].map((known) =>
    words.filter((word) => known.has(word)),
  )
  const known = (german?.length ?? 0) > (english?.length ?? 0) ? GERMAN_WORDS : ENGLISH_WORDS
  return new Set(words.filter((word) => known.has(word)))
}

/** Reports whether a term is the stem of a function word. */
export function isFunctionTerm(term: string): boolean {
  return TERMS.has(term)
}
