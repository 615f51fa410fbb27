/** The words in the language in use. English comes with the page, the others when they are wanted. */
import { batch, effect, signal } from '@preact/signals'
import { type Language, language, locale, wantedLanguage } from '../navigation/settings.ts'
import { numberText, timeText } from '../text/numbers.ts'
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
      const loading = wanted === 'en' ? Promise.resolve(EN) : OTHERS[wanted]()
      loading
        .then((loaded) => {
          if (wantedLanguage.peek() === wanted) speak(wanted, loaded)
        }, ignored)
        .then(settle)
    })
  })
}

function speak(spoken: Language, loaded: Words): void {
  batch(() => {
    language.value = spoken
    words.value = loaded
  })
}

/** The page goes on in the language it has: that is what its reader sees. */
function ignored(): void {}

/** A number in digits of the language in use; `isGrouped` false for years and other numbers that are names. */
export function digits(value: number, isGrouped = true): string {
  return numberText(value, locale.value, isGrouped)
}

/** A count in digits of the language in use. */
export function count(value: number): string {
  return digits(value)
}

/** A date or a time in the language in use; undefined if the text is none. */
export function timeWords(text: string): string | undefined {
  return timeText(text, locale.value)
}

/** A count for a text that depends on it; `text` where it is written otherwise than in plain digits. */
export function counted(value: number, text = count(value)): Count {
  return { number: value, toString: () => text }
}

/** Units that languages have words for, by their names in ECMA-402. */
const SPOKEN = new Set(['day', 'hour', 'minute', 'second', 'week', 'month', 'year'])

/** The unit of a field behind a number, with a space before it; empty if it has none. */
export function unitAfter({ unit }: { readonly unit: string | undefined }): string {
  return unit === undefined ? '' : ` ${unitText(unit)}`
}

/** A unit as it is written behind a number: translated if it is a word. */
export function unitText(unit: string): string {
  const { units } = words.value
  if (Object.hasOwn(units, unit)) return units[unit] ?? unit
  const name = unit.replace(/s$/, '')
  if (name === unit || !SPOKEN.has(name)) return unit
  const format = new Intl.NumberFormat(language.value, { style: 'unit', unit: name, unitDisplay: 'long' })
  // 100 has the form that all languages of the page use for most numbers.
  return format.formatToParts(100).find(({ type }) => type === 'unit')?.value ?? unit
}
