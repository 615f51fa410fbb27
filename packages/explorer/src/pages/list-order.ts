/** Sort order of a list. */

import type { Asked } from '@worldwright/extensions/views'
import type { Askable, ValueKind } from '../question/askable.ts'
import { words } from '../words/words.ts'

/** Sort key of the title column. */
export const TITLE = 'title'

/** Sort order of a list, and the keys by which the list can be sorted. */
export type Order = Readonly<ReturnType<typeof orderOf>>

const SORTABLE: ReadonlySet<ValueKind> = new Set(['number', 'boolean', 'text', 'instant'])

/** Returns the current order of a list, and a function that changes it. */
export function orderOf(asked: Asked, askables: readonly Askable[], onAsked: (asked: Asked) => void) {
  const { near, sort, ...others } = asked
  const sortable = askables.filter(({ kind }) => SORTABLE.has(kind))
  return {
    /** The title and the properties by which the list can be sorted. */
    fields: [
      { key: TITLE, label: words.value.list.title },
      ...sortable.map(({ key, field }) => ({ key, label: field.label })),
    ],
    /** Sort key, with a leading `-` if descending. Empty if the list is sorted by id or by distance. */
    sort: near === undefined ? sort : '',
    /** True if the list is sorted by distance, which overrides `sort`. */
    isNearest: near !== undefined,
    onOrder: (wanted: string) => onAsked({ ...others, sort: wanted }),
  }
}

/** Returns the sort key after a press on a column header: ascending, then descending, then empty for id order. */
export function sortPressed(key: string, { sort }: Order): string {
  return sort === key ? `-${key}` : sort === `-${key}` ? '' : key
}
