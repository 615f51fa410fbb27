/** The order of a list. */
import type { Askable, ValueKind } from '../question/askable.ts'
import type { Asked } from '../question/filters.ts'
import { words } from '../words/words.ts'

/** The name of the column of titles, as the world sorts by it. */
export const TITLE = 'title'

/** The order of a list, and the orders it can have. */
export type Order = Readonly<ReturnType<typeof orderOf>>

const SORTABLE: ReadonlySet<ValueKind> = new Set(['number', 'boolean', 'text', 'instant'])

/** Returns the current order, and the means to change it. */
export function orderOf(asked: Asked, askables: readonly Askable[], onAsked: (asked: Asked) => void) {
  const { near, sort, ...others } = asked
  const sortable = askables.filter(({ kind }) => SORTABLE.has(kind))
  return {
    /** The title, and the properties that the world can sort by. */
    fields: [
      { key: TITLE, label: words.value.list.title },
      ...sortable.map(({ key, field }) => ({ key, label: field.label })),
    ],
    /** A key, after a `-` if descending; empty for the order of ids. */
    sort: near === undefined ? sort : '',
    /** True if the entities nearest to a point come first, whatever `sort` says. */
    isNearest: near !== undefined,
    onOrder: (wanted: string) => onAsked({ ...others, sort: wanted }),
  }
}

/** Returns the order after a press on a column's header: ascending, then descending, then none. */
export function sortPressed(key: string, { sort }: Order): string {
  return sort === key ? `-${key}` : sort === `-${key}` ? '' : key
}
