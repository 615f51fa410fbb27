/** How a list is sorted. */
import type { Askable, ValueKind } from '../question/askable.ts'
import type { Asked } from '../question/filters.ts'
import { words } from '../words/words.ts'

/** The name of the column of titles, as the world sorts by it. */
export const TITLE = 'title'

/** By what a list is sorted, and can be. */
export type Order = Readonly<ReturnType<typeof orderOf>>

const SORTABLE: ReadonlySet<ValueKind> = new Set(['number', 'boolean', 'text', 'instant'])

/** The order that is asked for, and what leads to another. */
export function orderOf(asked: Asked, askables: readonly Askable[], onAsked: (asked: Asked) => void) {
  const { near, sort, ...others } = asked
  const sortable = askables.filter(({ kind }) => SORTABLE.has(kind))
  return {
    /** The title, and the properties that the world can sort by. */
    fields: [
      { key: TITLE, label: words.value.list.title },
      ...sortable.map(({ key, field }) => ({ key, label: field.label })),
    ],
    /** A key, behind a `-` where the greatest comes first; empty for the order of ids. */
    sort: near === undefined ? sort : '',
    /** The nearest to a point comes first, whatever `sort` says. */
    isNearest: near !== undefined,
    onOrder: (wanted: string) => onAsked({ ...others, sort: wanted }),
  }
}

/** What a press on a column's header makes of an order: up, then down, then not. */
export function sortPressed(key: string, { sort }: Order): string {
  return sort === key ? `-${key}` : sort === `-${key}` ? '' : key
}
