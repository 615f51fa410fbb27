/** Distribution of the values of one property in a list: counts and, on a timeline of few entities, their names. */
import { useMemo } from 'preact/hooks'
import { Select } from '../parts/select.tsx'
import { isTime, type Measure, measuresAsked, measuresOf } from '../question/measures.ts'
import { count, words } from '../words/words.ts'
import { ChartFigure } from './chart-figure.tsx'
import type { ChartProps } from './chart-props.ts'
import { ChooseLog, choicesOf, logOf, logText } from './choose.tsx'
import type { Spread } from './count-bins.ts'
import { COUNTS_HEIGHT, Events, eventsOf, eventTable } from './events.tsx'
import { notesOf, shownText } from './notes.ts'
import { positionText } from './scale.ts'
import { SpreadPicture } from './spread-picture.tsx'
import { useLook } from './use-look.tsx'
import { useSample } from './use-sample.ts'
import { spreadTable, useSpread } from './use-spread.tsx'

/** Maximum number of entities that a timeline names. */
const MOST_NAMED = 240

/** Histogram of a list. Clicking a bar filters the list to the range of that bar. */
export function HistogramView(props: ChartProps) {
  return <Chosen {...props} measures={measuresOf(props.askables)} isTimeline={false} />
}

/** Timeline of a list: a histogram over time. If there are few entities, they are named below. */
export function TimelineView(props: ChartProps) {
  return <Chosen {...props} measures={measuresOf(props.askables).filter(isTime)} isTimeline />
}

type Choice = ChartProps & { measures: readonly Measure[]; isTimeline: boolean }

function Chosen(props: Choice) {
  const { measures, isTimeline, asked, plot } = props
  const tried = measuresAsked(measures, asked)
  const usual = tried.find((one) => isTimeline || !isTime(one)) ?? tried[0]
  const measure = tried.find(({ key }) => key === plot.x) ?? usual
  return measure === undefined ? null : <Histogram {...props} measure={measure} />
}

function Histogram(props: Choice & { measure: Measure }) {
  const { measures, measure, isTimeline, question, plot, onPlot } = props
  const look = useLook(props, ['color'])
  const { value, name, onBin, ...counting } = useSpread(props, measure, logOf(plot.log, 'x'), look.colors)
  const isFew = isTimeline && value !== undefined && value.present <= MOST_NAMED
  const sample = useSample(
    { ...props, ...(isFew ? {} : { question: undefined, entities: [] }) },
    { keys: [measure.key], fields: [measure.key, ...look.keys] },
  )
  const events = useMemo(() => eventsOf(sample.entities, measure), [sample.entities, measure.key])
  const { views } = words.value
  const shown = isFew && question !== undefined ? [shownText(props, sample, events.length)] : []
  return (
    <ChartFigure
      read={isFew && !counting.isBusy && counting.failure === undefined ? sample : counting}
      controls={
        <>
          <Select
            label={views.along}
            choices={choicesOf(measures)}
            chosen={measure.key}
            onChoose={(x) => onPlot({ x, color: plot.color })}
          />
          {value?.mayBeLog === true && (
            <ChooseLog
              label={measure.field.label}
              isLog={value.isLog}
              onLog={(x) => onPlot({ ...plot, log: logText({ x, y: false }) })}
            />
          )}
          {look.controls}
        </>
      }
      picture={
        value && (
          <>
            <SpreadPicture
              spread={value}
              measure={measure}
              label={isTimeline ? name : `${name}. ${peakText(value, measure)}`}
              onBin={onBin}
              shades={look.colors}
              {...(isFew && { height: COUNTS_HEIGHT })}
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
        ...(isTimeline && !isFew ? [views.tooMany] : shown),
      ]}
      table={isFew ? eventTable(events, measure) : spreadTable(value, measure, onBin)}
    />
  )
}

function peakText({ bins }: Spread, measure: Measure): string {
  const [most] = bins.toSorted((a, b) => b.count - a.count)
  const at = (value: number) => positionText(value, measure)
  return most === undefined ? '' : words.value.views.peak(at(most.from), at(most.to), count(most.count))
}
