/** How the table of a list is sorted. */
import type { Askable, ValueKind } from '../question/askable.ts'
import type { Asked } from '../question/filters.ts'

/** The name of the column of titles, as the world sorts by it. */
export const TITLE = 'title'

/** By what the rows are sorted, and can be. */
export interface Order {
  /** The names of columns that the world can sort by. */
  readonly keys: ReadonlySet<string>
  /** The one it is sorted by; empty for none. */
  readonly by: string
  readonly isDescending: boolean
  readonly onSort: (name: string) => void
}

const SORTABLE: ReadonlySet<ValueKind> = new Set(['number', 'boolean', 'text', 'instant'])

/** How the table's headers sort: up, then down, then not. */
export function orderOf(asked: Asked, askables: readonly Askable[], onAsked: (asked: Asked) => void): Order {
  const { sort } = asked
  const keys = askables.filter(({ kind }) => SORTABLE.has(kind)).map(({ key }) => key)
  return {
    keys: new Set([TITLE, ...keys]),
    by: sort.replace(/^-/, ''),
    isDescending: sort.startsWith('-'),
    onSort: (key) => onAsked({ ...asked, sort: sort === key ? `-${key}` : sort === `-${key}` ? '' : key }),
  }
}
