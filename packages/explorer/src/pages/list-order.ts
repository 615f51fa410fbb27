/** How a list is sorted. */
import type { Askable, ValueKind } from '../question/askable.ts'
import type { Asked } from '../question/filters.ts'

/** The name of the column of titles, as the world sorts by it. */
export const TITLE = 'title'

/** By what a list is sorted, and can be. */
export interface Order {
  /** The properties that the world can sort by, besides the title and the times of entities. */
  readonly fields: readonly { readonly key: string; readonly label: string }[]
  /** The names of columns that the world can sort by. */
  readonly keys: ReadonlySet<string>
  /** A key, behind a `-` where the greatest comes first; empty for the order of ids. */
  readonly sort: string
  /** The nearest to a point comes first, whatever `sort` says. */
  readonly isNearest: boolean
  /** Called with what is to be `sort`. */
  readonly onOrder: (sort: string) => void
}

const SORTABLE: ReadonlySet<ValueKind> = new Set(['number', 'boolean', 'text', 'instant'])

/** The order that is asked for, and what leads to another. */
export function orderOf(asked: Asked, askables: readonly Askable[], onAsked: (asked: Asked) => void): Order {
  const { near, sort, ...others } = asked
  const sortable = askables.filter(({ kind }) => SORTABLE.has(kind))
  return {
    fields: sortable.map(({ key, field }) => ({ key, label: field.label })),
    keys: new Set([TITLE, ...sortable.map(({ key }) => key)]),
    sort: near === undefined ? sort : '',
    isNearest: near !== undefined,
    onOrder: (wanted) => onAsked({ ...others, sort: wanted }),
  }
}

/** What a press on a column's header makes of an order: up, then down, then not. */
export function sortPressed(key: string, { sort }: Order): string {
  return sort === key ? `-${key}` : sort === `-${key}` ? '' : key
}
