/** Virtualized rows of entities, as a list or, on a page too narrow for a table, as cards. */
import type { Entity, JsonValue } from '@worldwright/client'
import { type Field, member } from '@worldwright/extensions/shown'
import { sortKeyOf } from '@worldwright/extensions/views'
import type { ComponentChildren } from 'preact'
import { CompareButton } from '../desk/parts.tsx'
import { Cell } from '../parts/cell.tsx'
import { EntityLink } from '../parts/entity-link.tsx'
import { FactList } from '../parts/fact-list.tsx'
import { KeyValues } from '../parts/key-values.tsx'
import { type Sorted, SortValue } from '../parts/sort-value.tsx'
import { ShortText } from '../parts/text.tsx'
import { Thumb } from '../parts/thumb.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { fieldAt } from '../question/askable.ts'
import { valuesAt } from '../question/measures.ts'
import { unitAfter } from '../words/words.ts'
import { typeIn } from '../world/world-profile.ts'
import type { Walk } from './use-walk.ts'
import { useWalkRows } from './use-walk-rows.ts'

/** Estimated heights of a row and of a card before they are measured, in pixels. */
const ROW_HEIGHT = 84
const CARD_HEIGHT = 200
/** Maximum number of values on a card. Columns in which the entity has no value are skipped. */
const MOST_VALUES = 8

/** Props of a layout that shows the entities loaded by `walk`. */
export interface RowsProps {
  readonly walk: Walk
  readonly label: string
  /** Called with the index of the first visible row. */
  readonly onRow: (row: number) => void
  readonly asked: Sorted
}

/** List of entities with titles and summaries. */
export function EntityList(props: RowsProps) {
  return (
    <Rows {...props} height={ROW_HEIGHT} class="scroller" listClass="plain-list">
      {(entity) => (
        <p class="soft clamp">
          {typeof entity.summary === 'string' && entity.summary !== '' ? (
            <span>
              <Ordered entity={entity} by={sortKeyOf(props.asked)} />
              <ShortText text={entity.summary} most={240} />
            </span>
          ) : (
            <KeyValues entity={entity} />
          )}
        </p>
      )}
    </Rows>
  )
}

/** Attribute by which a list is sorted, before the summary. Renders nothing for other orders, and without a value. */
function Ordered({ entity, by }: { entity: Entity; by: string }) {
  const { profile } = useOpenWorld()
  const [value] = /^(?:|title|createdAt|updatedAt)$/.test(by) ? [] : valuesAt(entity, by)
  if (value === undefined || value === null) return null
  const field = fieldAt(by, typeIn(profile, entity.type).schema)
  return (
    <>
      <ShortText text={field.label} most={40} />:{' '}
      <b>
        <Cell value={value} field={field} />
        {unitAfter(field)}
      </b>
      {' · '}
    </>
  )
}

/** Entities as cards. Each card lists its entity's values in `columns`. */
export function EntityCards({ columns, ...props }: RowsProps & { columns: readonly Field[] }) {
  return (
    <Rows {...props} height={CARD_HEIGHT} class="scroller row-cards">
      {({ attributes }) => <FactList class="card-values" facts={factsOf(attributes, columns)} />}
    </Rows>
  )
}

function factsOf(attributes: unknown, columns: readonly Field[]) {
  const values = columns.flatMap((field): [Field, JsonValue][] => {
    const value = member(attributes, field.name)
    return value === undefined || value === null ? [] : [[field, value]]
  })
  return values.slice(0, MOST_VALUES).map(([field, value]) => {
    const cell = [<Cell key="value" value={value} field={field} />, unitAfter(field)]
    return [<ShortText text={field.label} most={60} />, cell] as const
  })
}

/** Rows that show the picture and the name of each entity, followed by the result of `children`. */
function Rows(
  props: RowsProps & {
    height: number
    /** Class of the scrolling element. `listClass` is the class of the list inside it. */
    class: string
    listClass?: string
    children: (entity: Entity) => ComponentChildren
  },
) {
  const { walk, height, label, onRow, asked, listClass, children } = props
  const { entities, total } = walk.walked
  const { box, items, measure, above, below } = useWalkRows(walk, height, onRow)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
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
                <Thumb entity={entity} />
                <EntityLink entity={entity} most={140} class="entry-title" />{' '}
                <SortValue entity={entity} asked={asked} />
                <CompareButton entity={entity} />
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
