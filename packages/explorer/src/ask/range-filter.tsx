/** A filter for a range of values, below a small histogram of the existing values. */

import type { Filter } from '@worldwright/extensions/views'
import { useId } from 'preact/hooks'
import type { Askable } from '../question/askable.ts'
import type { Bucket } from '../question/question.ts'
import { words } from '../words/words.ts'
import { AskBox } from './ask-box.tsx'
import { Bars } from './bars.tsx'
import type { FilterProps } from './value-filter.tsx'
import { extremeText } from './value-text.ts'

type Range = Extract<Filter, { is: 'range' }>

/** Two boxes for the bounds, and a histogram in which clicking a bar sets both bounds. */
export function RangeFilter(props: FilterProps) {
  const { askable, facet, filter, onFilter } = props
  const { ask } = words.value
  const range: Range = filter?.is === 'range' ? filter : { is: 'range', key: askable.key, from: '', to: '' }
  // An end that is typed is part of the range.
  const { isBelow: _, ...included } = range
  const bound = (value: number | string = '') =>
    askable.kind === 'number' ? extremeText(value, askable) : String(value).slice(0, 10)
  return (
    <>
      {facet !== undefined && facet.buckets.length > 1 && (
        <Bars
          buckets={facet.buckets}
          label={ask.histogram(askable.field.label, bound(facet.minimum), bound(facet.maximum))}
          isIn={(bucket) => overlaps(bucket, range)}
          onBucket={(one) =>
            onFilter({ is: 'range', key: askable.key, from: String(one.from), to: String(one.to) })
          }
        />
      )}
      <div class="bounds">
        {(['from', 'to'] as const).map((side) => (
          <Bound
            key={side}
            askable={askable}
            side={side}
            value={range[side]}
            hint={bound(side === 'from' ? facet?.minimum : facet?.maximum)}
            onValue={(value) =>
              onFilter(side === 'from' ? { ...range, from: value } : { ...included, to: value })
            }
          />
        ))}
      </div>
    </>
  )
}

function Bound(props: {
  askable: Askable
  side: 'from' | 'to'
  value: string
  hint: string
  onValue: (value: string) => void
}) {
  const { askable, side, value, hint, onValue } = props
  const id = useId()
  const isDay = askable.kind === 'instant' || askable.isDate
  return (
    <span>
      <label for={id} class="hidden">
        {askable.field.label}: {words.value.ask[side]}
      </label>
      <AskBox
        id={id}
        type={(isDay ? 'date' : askable.kind === 'number' ? 'number' : 'text') as 'text'}
        step="any"
        placeholder={hint === '' ? words.value.ask[side] : hint}
        text={isDay ? value.slice(0, 10) : value}
        onText={onValue}
      />
    </span>
  )
}

function overlaps(bucket: Bucket, { from, to }: Range): boolean {
  return (from === '' || isAtLeast(bucket.to, from)) && (to === '' || !isAtLeast(bucket.from, to))
}

function isAtLeast(bound: number | string | undefined, value: string): boolean {
  return typeof bound === 'number' ? bound > Number(value) : String(bound) > value
}
