/** Entities as a list of titles and summaries, only the seen ones drawn. */
import type { Entity } from '@worldwright/client'
import { EntityLink } from '../parts/entity-link.tsx'
import { KeyValues } from '../parts/key-values.tsx'
import { type Sorted, SortValue } from '../parts/sort-value.tsx'
import { ShortText } from '../parts/text.tsx'
import { Thumb } from '../parts/thumb.tsx'
import type { Walk } from './use-walk.ts'
import { WalkRows } from './walk-rows.tsx'

/** Pixels of a row before it is measured. */
const ROW_HEIGHT = 84

/** The list of what a walk has read so far. `onRow` is called with the first row seen. */
export function EntityList(props: {
  walk: Walk
  label: string
  onRow: (row: number) => void
  /** By what it is sorted. */
  asked: Sorted
}) {
  const { walk, label, onRow, asked } = props
  return (
    <WalkRows
      walk={walk}
      height={ROW_HEIGHT}
      label={label}
      onRow={onRow}
      class="scroller"
      listClass="plain-list"
    >
      {(entity) => <Entry entity={entity} asked={asked} />}
    </WalkRows>
  )
}

function Entry({ entity, asked }: { entity: Entity; asked: Sorted }) {
  const summary = typeof entity.summary === 'string' ? entity.summary : ''
  return (
    <>
      <Thumb entity={entity} />
      <EntityLink entity={entity} most={140} class="entry-title" />{' '}
      <SortValue entity={entity} asked={asked} />
      <p class="soft clamp">
        {summary === '' ? <KeyValues entity={entity} /> : <ShortText text={summary} most={240} />}
      </p>
    </>
  )
}
