/** A list on a timeline: counts and, if there are few entities, their names. */
import type { Entity } from '@worldwright/client'
import { useMemo } from 'preact/hooks'
import { nameOf } from '../data/entity-name.ts'
import { EntityLink } from '../parts/entity-link.tsx'
import { isTime, type Measure, measuresAsked, measuresOf, positionOf } from '../question/measures.ts'
import { words } from '../words/words.ts'
import { Axes, frameOf, xOf } from './axes.tsx'
import { ChartFigure, type ChartTable, tableOf } from './chart-figure.tsx'
import type { ChartProps } from './chart-props.ts'
import { ChooseMeasure, measureText } from './choose.tsx'
import type { Spread } from './count-bins.ts'
import { lanesOf } from './lanes.ts'
import { notesOf, shownText } from './notes.ts'
import { positionText, scaleOf } from './scale.ts'
import { countScale, SpreadPicture } from './spread-picture.tsx'
import { type Look, useLook } from './use-look.tsx'
import { useSample } from './use-sample.ts'
import { spreadTable, useSpread } from './use-spread.tsx'
import { useWidth } from './use-width.ts'

/** Maximum number of entities that are named. If there are more, only counts are drawn. */
const MOST_NAMED = 240
/** Height of a row of names, and of the histogram above the rows, in pixels. */
const ROW = 26
const COUNTS = 170

/** Timeline of a list. Clicking a bar filters the list to its range. If there are few entities, they are named below. */
export function TimelineView(props: ChartProps) {
  const { askables, asked, plot } = props
  const times = useMemo(() => measuresOf(askables).filter(isTime), [askables])
  const tried = measuresAsked(times, asked)
  const measure = tried.find(({ key }) => key === plot.x) ?? tried[0]
  return measure === undefined ? null : <Timeline {...props} times={times} measure={measure} />
}

function Timeline(props: ChartProps & { times: readonly Measure[]; measure: Measure }) {
  const { times, measure, question, plot, onPlot } = props
  const { views } = words.value
  const look = useLook(props, ['color'])
  const { value, name, onBin, ...counting } = useSpread(props, measure, false, look.colors)
  const isFew = value !== undefined && value.present <= MOST_NAMED
  const sample = useSample(
    { ...props, ...(isFew ? {} : { question: undefined, entities: [] }) },
    { keys: [measure.key], fields: [measure.key, ...look.keys] },
  )
  const events = useMemo(() => eventsOf(sample.entities, measure), [sample.entities, measure])
  return (
    <ChartFigure
      read={isFew && !counting.isBusy && counting.failure === undefined ? sample : counting}
      controls={
        <>
          <ChooseMeasure
            label={views.along}
            measures={times}
            chosen={measure}
            onChoose={(x) => onPlot({ x, color: plot.color })}
          />
          {look.controls}
        </>
      }
      picture={
        value && (
          <>
            <SpreadPicture
              spread={value}
              measure={measure}
              label={name}
              onBin={onBin}
              shades={look.colors}
              {...(isFew && { height: COUNTS })}
            />
            {isFew && (
              <Events events={events} spread={value} measure={measure} label={name} lookOf={look.lookOf} />
            )}
          </>
        )
      }
      legend={look.legend}
      notes={[
        name,
        ...(value === undefined ? [] : notesOf(props, value, [measure])),
        ...(isFew
          ? question === undefined
            ? []
            : [shownText(props, sample, events.length)]
          : [views.tooMany]),
      ]}
      table={isFew ? eventTable(events, measure) : spreadTable(value, measure, onBin)}
    />
  )
}

type Event = ReturnType<typeof eventsOf>[number]

/** Returns the entities that have a time, earliest first. */
function eventsOf(entities: readonly Entity[], measure: Measure) {
  return entities
    .flatMap((entity) => {
      const at = positionOf(entity, measure)
      return at === undefined ? [] : [{ entity, at }]
    })
    .toSorted((a, b) => a.at - b.at)
}

function eventTable(events: readonly Event[], measure: Measure): ChartTable {
  return tableOf([measureText(measure), words.value.list.title], events, ({ entity, at }) => [
    positionText(at, measure),
    <EntityLink key="title" entity={entity} most={80} />,
  ])
}

function Events(props: {
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
  const up = countScale(spread.bins, COUNTS)
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
          const side = isBefore ? { right: `${width - x}px` } : { left: `${x}px` }
          return (
            <li
              key={index}
              class={isBefore ? 'before' : ''}
              style={{ top: `${row * ROW}px`, ...side, '--shade': lookOf(event.entity).color }}
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
