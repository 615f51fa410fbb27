/** A table where there is no room for one: each entity as a card, with the columns below each other. */
import type { Entity, JsonValue } from '@worldwright/client'
import type { Field } from '../data/fields.ts'
import { member } from '../data/schema.ts'
import { Cell } from '../parts/cell.tsx'
import { EntityLink } from '../parts/entity-link.tsx'
import { type Sorted, SortValue } from '../parts/sort-value.tsx'
import { ShortText } from '../parts/text.tsx'
import { Thumb } from '../parts/thumb.tsx'
import { unitText } from '../words/words.ts'
import type { Walk } from './use-walk.ts'
import { WalkRows } from './walk-rows.tsx'

/** Pixels of a card before it is measured, and values on it: the first columns that the entity has a value of. */
const CARD_HEIGHT = 200
const MOST_VALUES = 8

/** The cards of what a walk has read so far. `onRow` is called with the first one seen. */
export function EntityCards(props: {
  walk: Walk
  columns: readonly Field[]
  label: string
  onRow: (row: number) => void
  /** By what it is sorted. */
  asked: Sorted
}) {
  const { walk, columns, label, onRow, asked } = props
  return (
    <WalkRows walk={walk} height={CARD_HEIGHT} label={label} onRow={onRow} class="scroller row-cards">
      {(entity) => <Card entity={entity} columns={columns} asked={asked} />}
    </WalkRows>
  )
}

function Card(props: { entity: Entity; columns: readonly Field[]; asked: Sorted }) {
  const { entity, columns, asked } = props
  const values = columns.flatMap((field): [Field, JsonValue][] => {
    const value = member(entity.attributes, field.name)
    return value === undefined || value === null ? [] : [[field, value]]
  })
  return (
    <>
      <Thumb entity={entity} />
      <EntityLink entity={entity} most={140} class="entry-title" />{' '}
      <SortValue entity={entity} asked={asked} />
      <dl class="card-values">
        {values.slice(0, MOST_VALUES).map(([field, value]) => (
          <div key={field.name}>
            <dt>
              <ShortText text={field.label} most={60} />
            </dt>
            <dd>
              <Cell value={value} field={field} />
              {field.unit !== undefined && ` ${unitText(field.unit)}`}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
