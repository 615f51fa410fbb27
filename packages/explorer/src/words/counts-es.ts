/** Numbers of things in Spanish, where millions are millions `de` them. */
import { type Count, pluralIn } from './plural.ts'

/** Chooses the form for a number in Spanish. */
export const plural = pluralIn('es')

/** Counts things: `one` names a single one, `others` are the noun in its plural. */
export function counting(one: string, others: string) {
  return (count: Count) => plural(count, { one, many: `${count} de ${others}`, other: `${count} ${others}` })
}

/** Results of a search with their number. */
export const results = counting('un resultado', 'resultados')

/** Rows of a table with their number. */
export const rows = counting('una fila', 'filas')
