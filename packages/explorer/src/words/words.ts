/** User interface strings in the language in use. English is bundled, and any other language is loaded on demand. */
import { batch, effect, signal } from '@preact/signals'
import { numberText, timeText, unitText as unitTextIn } from '@worldwright/extensions/shown'
import { type Language, language, locale, wantedLanguage } from '../navigation/settings.ts'
import { EN, type Words } from './en.ts'
import type { Count } from './plural.ts'

/** Loaders for the languages other than English. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Words>>> = {
  ar: () => import('./ar.ts').then(({ AR }) => AR),
  de: () => import('./de.ts').then(({ DE }) => DE),
  es: () => import('./es.ts').then(({ ES }) => ES),
}

/** Strings in the language in use. A view that reads them is rerendered when they change. */
export const words = signal<Words>(EN)

/** Follows the wanted language. Resolves once its strings have been loaded or have failed to load. */
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

/** Creates the reader of a table of strings by name and language, for parts of the page that are loaded apart. */
export function wordsIn<T extends Readonly<Record<string, Readonly<Record<Language, unknown>>>>>(table: T) {
  const own = () => Object.entries(table).map(([name, all]) => [name, all[language.value]])
  return () => Object.fromEntries(own()) as { readonly [Name in keyof T]: T[Name]['en'] }
}

function speak(spoken: Language, loaded: Words): void {
  batch(() => {
    language.value = spoken
    words.value = loaded
  })
}

/** Ignores a failure to load a language, since the user can see that the language did not change. */
function ignored(): void {}

/** Formats a number in the language in use. `isGrouped` is false for years and other numbers that are labels. */
export function digits(value: number, isGrouped = true): string {
  return numberText(value, locale.value, isGrouped)
}

/** Formats a count in the language in use. */
export function count(value: number): string {
  return digits(value)
}

/** Formats a number with about four digits. Whole numbers are formatted in full. */
export function roughly(value: number, isGrouped = true): string {
  const isLong = Number.isSafeInteger(value) || Math.abs(value) >= 1_000
  return digits(isLong ? Math.round(value) : Number(value.toPrecision(4)), isGrouped)
}

/** Formats a date or a time in the language in use. Returns undefined for any other text. */
export function timeWords(text: string): string | undefined {
  return timeText(text, locale.value)
}

/** Returns a count for strings that depend on a number. `text` is the displayed form of the number. */
export function counted(value: number, text = count(value)): Count {
  return { number: value, toString: () => text }
}

/** Returns the unit of a field after a space, or an empty string if the field has no unit. */
export function unitAfter({ unit }: { readonly unit: string | undefined }): string {
  return unit === undefined ? '' : ` ${unitText(unit)}`
}

/** Formats a unit in the language in use. Units that are words are translated. */
export function unitText(unit: string): string {
  return unitTextIn(unit, language.value, words.value.units)
}
