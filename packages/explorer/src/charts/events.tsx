/** Names of the entities of a timeline, below its histogram. */
import type { Entity } from '@worldwright/client'
import { nameOf } from '../data/entity-name.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { type Measure, positionOf } from '../question/measures.ts'
import { words } from '../words/words.ts'
import { Axes, frameOf, xOf } from './axes.tsx'
import { type ChartTable, tableOf } from './chart-figure.tsx'
import { measureText } from './choose.tsx'
import type { Spread } from './count-bins.ts'
import { lanesOf } from './lanes.ts'
import { positionText, scaleOf } from './scale.ts'
import { signOf } from './signs.ts'
import { countScale } from './spread-picture.tsx'
import type { Look } from './use-look.tsx'
import { useWidth } from './use-width.ts'

/** Height of a row of names, in pixels. */
const ROW = 26
/** Height of the histogram above the names, in pixels. */
export const COUNTS_HEIGHT = 170

type Event = ReturnType<typeof eventsOf>[number]

/** Returns the entities that have a time, earliest first. */
export function eventsOf(entities: readonly Entity[], measure: Measure) {
  return entities
    .flatMap((entity) => {
      const at = positionOf(entity, measure)
      return at === undefined ? [] : [{ entity, at }]
    })
    .toSorted((a, b) => a.at - b.at)
}

/** Returns a table of events with their times. */
export function eventTable(events: readonly Event[], measure: Measure): ChartTable {
  return tableOf([measureText(measure), words.value.list.title], events, ({ entity, at }) => [
    positionText(at, measure),
    <EntityLink key="title" entity={entity} most={80} />,
  ])
}

/** Names of events below the histogram of `spread`, along the same axis. */
export function Events(props: {
  events: readonly Event[]
  spread: Spread
  measure: Measure
  label: string
  lookOf: (entity: Entity) => Look
}) {
  const { events, spread, measure, label, lookOf } = props
  const { box, width } = useWidth()
  const [first, last] = [spread.bins[0], spread.bins.at(-1)]
  if (first === undefined || last === undefined || events.length === 0) return null
  // Use the same axis as the bars above.
  const along = scaleOf([first.from, last.to], measure, { isLog: false, count: width / 100 })
  const up = countScale(spread.bins, COUNTS_HEIGHT)
  const lanes = lanesOf(
    events.map(({ entity, at }) => ({
      x: xOf(frameOf(width, 0, up), along, at),
      letters: nameOf(entity).length,
    })),
    width,
  )
  const height = (Math.max(...lanes.map(({ row }) => row)) + 1) * ROW + 40
  const frame = frameOf(width, height, up)
  return (
    <div class="plot timeline" ref={box}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {along.ticks.map(({ value }) => (
          <path key={value} class="rule" d={`M${xOf(frame, along, value)} 0V${height - frame.bottom}`} />
        ))}
        <Axes frame={frame} along={along} up={undefined} />
      </svg>
      <ol class="events" aria-label={label}>
        {lanes.map(({ index, row, isBefore }) => {
          const event = events[index]
          if (event === undefined) return null
          const x = xOf(frame, along, event.at)
          const { color } = lookOf(event.entity)
          const side = isBefore ? { right: `${width - x}px` } : { left: `${x}px` }
          return (
            <li
              key={index}
              class={isBefore ? 'before' : ''}
              style={{ top: `${row * ROW}px`, ...side, '--shade': color, '--sign': signOf(color) }}
              title={positionText(event.at, measure)}
            >
              <EntityLink entity={event.entity} most={60} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}
