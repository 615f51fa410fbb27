/** What asking precisely says, in Spanish: filters, conditions, what points here. */
import type { ASK_EN } from './ask-en.ts'
import { pluralIn } from './plural.ts'

const plural = pluralIn<'one' | 'many'>('es')

/** The words of filters in Spanish. */
export const ASK_ES: typeof ASK_EN = {
  filters: 'Filtros',
  from: 'desde',
  to: 'hasta',
  or: 'o',
  remove: 'Quitar el filtro',
  clear: 'Quitar todos los filtros',
  histogram: (label, from, to) => `${label}: cuántos hay de ${from} a ${to}`,
  noValues: 'Ningún valor',
  moreValues: 'Estos son los más frecuentes.',
  shares: 'Los porcentajes son de los que tienen un valor.',
  other: 'Otro valor',
  otherValue: (label) => `${label}: otro valor`,
  nothing: 'Nada cumple estos filtros.',
  words: (text) => `«${text}»`,
  condition: 'Condición, en CQL2',
  apply: 'Aplicar',
  refine: 'Filtrar, ordenar y contar estos',
  nearestTo: (place) => `Lo más cercano a ${place}`,
  nearLabel: 'Lo más cercano a: latitud, longitud',
  nearWrong: 'Dos números en grados, por ejemplo 48.86, 2.35',
  nearestHere: 'Lo más cercano',
  order: 'Orden',
  byId: 'por id',
  distance: 'Distancia',
  nearest: 'primero lo más cercano',
  newest: (date) => `${date}: primero lo más nuevo`,
  upwards: (label) => `${label} ↑`,
  downwards: (label) => `${label} ↓`,
  pointsHere: 'Qué apunta aquí',
  by: (type, property) => `${type}, en «${property}»`,
  all: (count) =>
    plural(count, {
      one: 'Mostrarlo en la lista',
      many: `Mostrar todos: ${count}`,
      other: `Mostrar todos: ${count}`,
    }),
}
