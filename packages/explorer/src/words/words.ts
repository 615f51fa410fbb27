/** The words in the language in use. English comes with the page, the others on demand. */
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

/** Follows the wanted language. Settles once its words have arrived, or cannot be loaded: then English stays. */
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

/** Ignores the failure: the page stays in its language, as its user can see. */
function ignored(): void {}

/** Formats a number in digits of the language in use; `isGrouped` is false for years and other numbers that are labels. */
export function digits(value: number, isGrouped = true): string {
  return numberText(value, locale.value, isGrouped)
}

/** Formats a count in digits of the language in use. */
export function count(value: number): string {
  return digits(value)
}

/** Formats a date or a time in the language in use; undefined if the text is none. */
export function timeWords(text: string): string | undefined {
  return timeText(text, locale.value)
}

/** Returns a count for a text that depends on it; `text` if it is written otherwise than in plain digits. */
export function counted(value: number, text = count(value)): Count {
  return { number: value, toString: () => text }
}

/** Units that languages have words for, by their names in ECMA-402. */
const SPOKEN = new Set(['day', 'hour', 'minute', 'second', 'week', 'month', 'year'])

/** Returns the unit of a field after a number, with a space before it; empty if it has none. */
export function unitAfter({ unit }: { readonly unit: string | undefined }): string {
  return unit === undefined ? '' : ` ${unitText(unit)}`
}

/** Returns a unit as it is written after a number: translated if it is a word. */
export function unitText(unit: string): string {
  const { units } = words.value
  if (Object.hasOwn(units, unit)) return units[unit] ?? unit
  const name = unit.replace(/s$/, '')
  if (name === unit || !SPOKEN.has(name)) return unit
  const format = new Intl.NumberFormat(language.value, { style: 'unit', unit: name, unitDisplay: 'long' })
  // 100 has the form that all languages of the page use for most numbers.
  return format.formatToParts(100).find(({ type }) => type === 'unit')?.value ?? unit
}
