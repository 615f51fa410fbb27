/** Entities as a list of titles and summaries, only the seen ones drawn. */

import type { Entity } from '@worldwright/client'
import { useEffect, useRef } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { KeyValues } from '../parts/key-values.tsx'
import { To } from '../parts/link.tsx'
import { ShortText } from '../parts/text.tsx'
import { useRows } from '../parts/virtual-rows.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import type { Walk } from './use-walk.ts'

/** Pixels of a row before it is measured. */
const ROW_HEIGHT = 84
const AHEAD = 20

/** The list of what a walk has read so far. `onRow` hears which entity is the first one seen. */
export function EntityList({
  walk,
  label,
  onRow,
}: {
  walk: Walk
  label: string
  onRow: (row: number) => void
}) {
  const { entities, total } = walk.walked
  const box = useRef<HTMLElement>(null)
  const first = useRef(0)
  const rows = useRows({
    element: box,
    count: entities.length,
    height: ROW_HEIGHT,
    offset: walk.offset,
    onScroll: (offset) => {
      walk.note(offset)
      onRow(first.current)
    },
  })
  first.current = rows.items.find(({ end }) => end > walk.offset)?.index ?? 0
  const head = rows.items[0]
  const last = rows.items.at(-1)
  const nearEnd = last !== undefined && last.index >= entities.length - AHEAD && last.index > AHEAD

  useEffect(() => {
    if (nearEnd && walk.failure === undefined) walk.more()
  }, [nearEnd, entities.length])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="scroller" ref={box} tabIndex={0} aria-label={label}>
      <div style={{ height: `${head?.start ?? 0}px` }} />
      <ul class="plain-list">
        {rows.items.map(({ index }) => {
          const entity = entities[index]
          return (
            entity && (
              <li
                key={index}
                ref={rows.measure}
                data-index={index}
                aria-setsize={total ?? entities.length}
                aria-posinset={index + 1}
              >
                <Entry entity={entity} />
              </li>
            )
          )
        })}
      </ul>
      <div style={{ height: `${rows.size - (last?.end ?? 0)}px` }} />
    </section>
  )
}

function Entry({ entity }: { entity: Entity }) {
  const { world } = useOpenWorld()
  const summary = typeof entity.summary === 'string' ? entity.summary : ''
  return (
    <>
      <To
        route={{ page: 'entity', origin: world.origin, type: entity.type, id: entity.id }}
        class="entry-title"
      >
        <ShortText text={nameOf(entity)} most={140} />
      </To>
      <p class="soft clamp">
        {summary === '' ? <KeyValues entity={entity} /> : <ShortText text={summary} most={240} />}
      </p>
    </>
  )
}
