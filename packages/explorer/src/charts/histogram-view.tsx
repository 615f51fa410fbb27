/** Distribution of the values of one property in a list. */
import { isTime, type Measure, measuresAsked, measuresOf } from '../question/measures.ts'
import { count, words } from '../words/words.ts'
import { ChartFigure } from './chart-figure.tsx'
import type { ChartProps } from './chart-props.ts'
import { ChooseLog, ChooseMeasure, logOf, logText } from './choose.tsx'
import type { Spread } from './count-bins.ts'
import { notesOf } from './notes.ts'
import { positionText } from './scale.ts'
import { SpreadPicture } from './spread-picture.tsx'
import { useLook } from './use-look.tsx'
import { spreadTable, useSpread } from './use-spread.tsx'

/** Histogram of a list. Clicking a bar filters the list to the range of that bar. */
export function HistogramView(props: ChartProps) {
  const { askables, asked, plot } = props
  const measures = measuresOf(askables)
  const tried = measuresAsked(measures, asked)
  const measure = tried.find(({ key }) => key === plot.x) ?? tried.find((one) => !isTime(one)) ?? tried[0]
  return measure === undefined ? null : <Histogram {...props} measures={measures} measure={measure} />
}

function Histogram(props: ChartProps & { measures: readonly Measure[]; measure: Measure }) {
  const { measures, measure, plot, onPlot } = props
  const look = useLook(props, ['color'])
  const { value, name, onBin, ...read } = useSpread(props, measure, logOf(plot.log, 'x'), look.colors)
  const { views } = words.value
  return (
    <ChartFigure
      read={read}
      controls={
        <>
          <ChooseMeasure
            label={views.along}
            measures={measures}
            chosen={measure}
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
          <SpreadPicture
            spread={value}
            measure={measure}
            label={`${name}. ${peakText(value, measure)}`}
            onBin={onBin}
            shades={look.colors}
          />
        )
      }
      legend={look.legend}
      notes={[name, ...(value === undefined ? [] : notesOf(props, value, [measure]))]}
      table={spreadTable(value, measure, onBin)}
    />
  )
}

function peakText({ bins }: Spread, measure: Measure): string {
  const [most] = bins.toSorted((a, b) => b.count - a.count)
  const at = (value: number) => positionText(value, measure)
  return most === undefined ? '' : words.value.views.peak(at(most.from), at(most.to), count(most.count))
}
