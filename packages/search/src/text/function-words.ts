/** Function words of questions in English and German, which say nothing about what is sought. */
import { fold } from './fold.ts'

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

const LANGUAGES = [ENGLISH, GERMAN].map((words) => new Set(fold(words).trim().split(/\s+/)))

/** Returns those of the words that are function words of the language with the most of them. `words` are folded. */
export function functionWords(words: readonly string[]): ReadonlySet<string> {
  const [english = [], german = []] = LANGUAGES.map((known) => words.filter((word) => known.has(word)))
  return new Set(german.length > english.length ? german : english)
}
