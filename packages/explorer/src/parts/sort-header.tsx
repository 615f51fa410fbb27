/** Column header by which a table can be sorted. */
import type { ComponentChildren } from 'preact'

/** Column header. It is a button that shows its direction if `onPress` is given. */
export function SortHeader(props: {
  class?: string | undefined
  direction: 'ascending' | 'descending' | undefined
  onPress: (() => void) | undefined
  children: ComponentChildren
}) {
  const { direction, onPress, children } = props
  return (
    <th scope="col" class={props.class} aria-sort={direction}>
      {onPress === undefined ? (
        children
      ) : (
        <button type="button" class={`sort ${direction ?? ''}`} data-asks="" onClick={onPress}>
          <span>{children}</span>
          <span aria-hidden="true" class="arrow">
            {direction === 'descending' ? '↓' : '↑'}
          </span>
        </button>
      )}
    </th>
  )
}

/** Returns the direction in which a table with the sort key `sort` is sorted by `name`. Undefined if it is not. */
export function directionOf(sort: string | undefined, name: string): 'ascending' | 'descending' | undefined {
  return sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
}
