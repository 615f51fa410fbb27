/** A histogram small enough to fit beside other content. */
import type { Bucket } from '../question/question.ts'

/** Bars whose heights are proportional to the counts, but for a least height of those that are not zero. */
export function Bars(props: {
  buckets: readonly Bucket[]
  label: string
  /** Reports whether a bar is selected. If absent, all bars are selected. */
  isIn?: (bucket: Bucket) => boolean
  onBucket?: (bucket: Bucket) => void
}) {
  const { buckets, label, isIn = () => true, onBucket } = props
  const most = Math.max(...buckets.map(({ count }) => count), 1)
  return (
    <svg
      class={`bars ${onBucket === undefined ? '' : 'choosing'}`}
      viewBox={`0 0 ${buckets.length * 4} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {buckets.map((bucket, index) => {
        const height = bucket.count === 0 ? 0 : Math.max(1, 24 * (bucket.count / most))
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users have the boxes below it.
          <g key={index} class={isIn(bucket) ? 'in' : ''} onClick={onBucket && (() => onBucket(bucket))}>
            <title>{`${bucket.from} – ${bucket.to}: ${bucket.count}`}</title>
            <rect class="room" x={index * 4} y={0} width={4} height={24} />
            <rect x={index * 4 + 0.3} y={24 - height} width={3.4} height={height} />
          </g>
        )
      })}
    </svg>
  )
}
