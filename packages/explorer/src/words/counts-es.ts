/** Counted nouns in Spanish, which needs `de` after millions. */
import { type Count, pluralIn } from './plural.ts'

/** Selects the plural form for a number in Spanish. */
export const plural = pluralIn('es')

/** Returns a function that formats a counted noun. `one` is the string for 1, and `others` is the plural noun. */
export function counting(one: string, others: string) {
  return (count: Count) => plural(count, { one, many: `${count} de ${others}`, other: `${count} ${others}` })
}

/** Formats the number of search results. */
export const results = counting('un resultado', 'resultados')

/** Formats the number of table rows. */
export const rows = counting('una fila', 'filas')
