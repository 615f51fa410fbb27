/** A filter from one value to another, below a small histogram of the values there are. */
import { useId } from 'preact/hooks'
import type { Askable } from '../question/askable.ts'
import type { Filter } from '../question/filters.ts'
import type { Bucket, Facet } from '../question/question.ts'
import { words } from '../words/words.ts'
import { valueText } from './value-text.ts'

type Range = Extract<Filter, { is: 'range' }>

/** Two boxes, and bars of which one can be chosen. `filter` is the one that is set, if any. */
export function RangeFilter(props: {
  askable: Askable
  facet: Facet | undefined
  filter: Filter | undefined
  onFilter: (filter: Filter) => void
}) {
  const { askable, facet, filter, onFilter } = props
  const { ask } = words.value
  const range: Range = filter?.is === 'range' ? filter : { is: 'range', key: askable.key, from: '', to: '' }
  const bound = (value: number | string | undefined) =>
    value === undefined ? '' : short(String(value), askable)
  return (
    <>
      {facet !== undefined && facet.buckets.length > 1 && (
        <Bars
          facet={facet}
          range={range}
          label={ask.histogram(askable.field.label, bound(facet.minimum), bound(facet.maximum))}
          onBucket={({ from, to }) => onFilter({ ...range, from: String(from), to: String(to) })}
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
            onValue={(value) => onFilter({ ...range, [side]: value })}
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
      <input
        id={id}
        class="field small"
        type={(isDay ? 'date' : askable.kind === 'number' ? 'number' : 'text') as 'text'}
        step="any"
        placeholder={hint === '' ? words.value.ask[side] : hint}
        value={isDay ? value.slice(0, 10) : value}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    </span>
  )
}

/** Bars side by side. Counts differ by orders of magnitude: the square root keeps the small ones in sight. */
function Bars(props: { facet: Facet; range: Range; label: string; onBucket: (bucket: Bucket) => void }) {
  const { facet, range, label, onBucket } = props
  const { buckets } = facet
  const most = Math.max(...buckets.map(({ count }) => count), 1)
  const isIn = ({ from, to }: Bucket) =>
    (range.from === '' || isAtLeast(to, range.from)) && (range.to === '' || !isAtLeast(from, range.to))
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${buckets.length * 4} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {buckets.map((bucket, index) => {
        const height = bucket.count === 0 ? 0 : Math.max(1, 24 * Math.sqrt(bucket.count / most))
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: as above.
          <g key={index} class={isIn(bucket) ? 'in' : ''} onClick={() => onBucket(bucket)}>
            <title>{`${bucket.from} – ${bucket.to}: ${bucket.count}`}</title>
            <rect class="room" x={index * 4} y={0} width={4} height={24} />
            <rect x={index * 4 + 0.3} y={24 - height} width={3.4} height={height} />
          </g>
        )
      })}
    </svg>
  )
}

function isAtLeast(bound: number | string | undefined, value: string): boolean {
  return typeof bound === 'number' ? bound > Number(value) : String(bound) > value
}

function short(value: string, askable: Askable): string {
  return askable.kind === 'number' ? valueText(value, askable) : value.slice(0, 10)
}
