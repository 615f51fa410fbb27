/** The entities of a walk below each other, only the seen ones drawn. */
import type { Entity } from '@worldwright/client'
import type { ComponentChildren } from 'preact'
import type { Walk } from './use-walk.ts'
import { useWalkRows } from './use-walk-rows.ts'

/** A list of what a walk has read so far, each entity as `children` draws it. `onRow` is called with the first one seen. */
export function WalkRows(props: {
  walk: Walk
  /** Pixels of an entity before it is measured. */
  height: number
  label: string
  onRow: (row: number) => void
  /** Classes of what scrolls, and of the list in it. */
  class: string
  listClass?: string
  children: (entity: Entity) => ComponentChildren
}) {
  const { walk, height, label, onRow, listClass, children } = props
  const { entities, total } = walk.walked
  const { box, items, measure, above, below } = useWalkRows(walk, height, onRow)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class={props.class} ref={box} tabIndex={0} aria-label={label}>
      <div style={{ height: `${above}px` }} />
      <ul class={listClass}>
        {items.map(({ index }) => {
          const entity = entities[index]
          return (
            entity && (
              <li
                key={index}
                ref={measure}
                data-index={index}
                aria-setsize={total ?? entities.length}
                aria-posinset={index + 1}
              >
                {children(entity)}
              </li>
            )
          )
        })}
      </ul>
      <div style={{ height: `${below}px` }} />
    </section>
  )
}
