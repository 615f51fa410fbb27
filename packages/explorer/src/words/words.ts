/** The words in the language in use. English comes with the page, the others when they are wanted. */
import { batch, effect, signal } from '@preact/signals'
import { type Language, language, locale, wantedLanguage } from '../navigation/settings.ts'
import { numberText } from '../text/numbers.ts'
import { EN, type Words } from './en.ts'
import type { Count } from './plural.ts'

/** The languages besides English, each in a file of its own. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Words>>> = {
  ar: () => import('./ar.ts').then(({ AR }) => AR),
  de: () => import('./de.ts').then(({ DE }) => DE),
  es: () => import('./es.ts').then(({ ES }) => ES),
}

/** The words in the language in use; a view that reads it is rendered again when it changes. */
export const words = signal<Words>(EN)

/** Follows the wanted language. Settles once its words are there, or cannot be had: then English stays. */
export function startWords(): Promise<void> {
  return new Promise((settle) => {
    effect(() => {
      const wanted = wantedLanguage.value
      wordsOf(wanted)
        .then((loaded) => {
          if (wantedLanguage.peek() === wanted) speak(wanted, loaded)
        }, ignored)
        .then(settle)
    })
  })
}

async function wordsOf(wanted: Language): Promise<Words> {
  return wanted === 'en' ? EN : OTHERS[wanted]()
}

function speak(spoken: Language, loaded: Words): void {
  batch(() => {
    language.value = spoken
    words.value = loaded
  })
}

/** The page goes on in the language it has: that is what its reader sees. */
function ignored(): void {}

/** A count in digits of the language in use. */
export function count(value: number): string {
  return numberText(value, locale.value)
}

/** A count for a text that depends on it; `text` where it is written otherwise than in plain digits. */
export function counted(value: number, text = count(value)): Count {
  return { number: value, toString: () => text }
}

/** A unit as it is written behind a number: translated where it is a word. */
export function unitText(unit: string): string {
  const { units } = words.value
  return Object.hasOwn(units, unit) ? (units[unit] ?? unit) : unit
}
