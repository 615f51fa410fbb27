/** Counts of things in Spanish, which writes `de` after millions. */
import { type Count, pluralIn } from './plural.ts'

/** Chooses the form for a number in Spanish. */
export const plural = pluralIn('es')

/** Returns a function that counts things: `one` names a single one, `others` is the noun in its plural. */
export function counting(one: string, others: string) {
  return (count: Count) => plural(count, { one, many: `${count} de ${others}`, other: `${count} ${others}` })
}

/** Results of a search with their number. */
export const results = counting('un resultado', 'resultados')

/** Rows of a table with their number. */
export const rows = counting('una fila', 'filas')
