/** The words in the language in use. */
import { computed } from '@preact/signals'
import { language, locale } from '../navigation/settings.ts'
import { numberText } from '../text/numbers.ts'
import { DE } from './de.ts'
import { EN } from './en.ts'

/** All languages, by their tags. */
const LANGUAGES = { en: EN, de: DE }

/** The words in the language in use; whoever reads it in a view is rendered again when it changes. */
export const words = computed(() => LANGUAGES[language.value])

/** A count in digits of the language in use. */
export function count(value: number): string {
  return numberText(value, locale.value)
}

/** A unit as it is written behind a number: translated where it is a word. */
export function unitText(unit: string): string {
  const { units } = words.value
  return Object.hasOwn(units, unit) ? (units[unit] ?? unit) : unit
}
