/** Chart that plots two properties of a list against each other. */
import type { Entity } from '@worldwright/client'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { EntityLink } from '../parts/entity-link.tsx'
import { isTime, type Measure, measuresAsked, measuresOf, positionOf } from '../question/measures.ts'
import { counted, unitAfter, words } from '../words/words.ts'
import { Axes, frameOf, xOf, yOf } from './axes.tsx'
import { ChartFigure, tableOf } from './chart-figure.tsx'
import type { ChartProps } from './chart-props.ts'
import { ChooseLog, ChooseMeasure, logOf, logText, measureText } from './choose.tsx'
import { Dots } from './dots.tsx'
import { shownText, withoutText } from './notes.ts'
import { type Extent, extentOf, isLog, mayBeLog, positionText, scaleOf } from './scale.ts'
import { useSample } from './use-sample.ts'
import { heightFor, useWidth } from './use-width.ts'

/** The scatter plot of a list: each entity is a point that links to it. */
export function ScatterView(props: ChartProps) {
  const { askables, asked, plot, onPlot } = props
  const { views } = words.value
  const measures = measuresOf(askables)
  const tried = measuresAsked(measures, asked)
  const numbers = tried.filter((one) => !isTime(one))
  const x = tried.find(({ key }) => key === plot.x) ?? numbers[0] ?? tried[0]
  const y =
    tried.find(({ key }) => key === plot.y) ??
    numbers.find((one) => one !== x) ??
    tried.find((one) => one !== x)
  if (x === undefined || y === undefined) return null
  return (
    <Scatter
      {...props}
      x={x}
      y={y}
      choose={(['x', 'y'] as const).map((axis) => (
        <ChooseMeasure
          key={axis}
          label={axis === 'x' ? views.along : views.up}
          measures={measures}
          chosen={axis === 'x' ? x : y}
          onChoose={(key) => onPlot({ ...plot, x: x.key, y: y.key, [axis]: key })}
        />
      ))}
    />
  )
}

type Point = ReturnType<typeof pointsOf>[number]

interface Chosen {
  readonly x: Measure
  readonly y: Measure
}

function Scatter(props: ChartProps & Chosen & { choose: ComponentChildren }) {
  const { x, y, plot, onPlot, choose } = props
  const keys = [x.key, y.key]
  const sample = useSample(props, { keys, fields: keys })
  const points = useMemo(() => pointsOf(sample.entities, { x, y }), [sample.entities, x.key, y.key])
  const extents = { x: extentOf(points.map(({ along }) => along)), y: extentOf(points.map(({ up }) => up)) }
  const logs = {
    x: extents.x !== undefined && isLog(extents.x, x, logOf(plot.log, 'x')),
    y: extents.y !== undefined && isLog(extents.y, y, logOf(plot.log, 'y')),
  }
  const name = words.value.views.against(measureText(y), measureText(x))
  const mayChoose = (axis: 'x' | 'y') => extents[axis] !== undefined && mayBeLog(extents[axis], props[axis])
  return (
    <ChartFigure
      read={sample}
      controls={
        <>
          {choose}
          {(['x', 'y'] as const).filter(mayChoose).map((axis) => (
            <ChooseLog
              key={axis}
              label={props[axis].field.label}
              isLog={logs[axis]}
              onLog={(isOn) => onPlot({ x: x.key, y: y.key, log: logText({ ...logs, [axis]: isOn }) })}
            />
          ))}
        </>
      }
      picture={<Cloud x={x} y={y} points={points} extents={extents} logs={logs} label={name} />}
      notes={[
        name,
        shownText(props, sample, points.length),
        ...withoutText(props, sample, [x.field.label, y.field.label]),
      ]}
      table={tableOf([words.value.list.title, measureText(x), measureText(y)], points, (point) => [
        <EntityLink key="title" entity={point.entity} most={80} />,
        positionText(point.along, x),
        positionText(point.up, y),
      ])}
    />
  )
}

function Cloud(
  props: Chosen & {
    points: readonly Point[]
    extents: { readonly x: Extent | undefined; readonly y: Extent | undefined }
    logs: { readonly x: boolean; readonly y: boolean }
    label: string
  },
) {
  const { x, y, points, extents, logs, label } = props
  const { box, width } = useWidth()
  const height = heightFor(width)
  const along = extents.x && scaleOf(extents.x, x, { isLog: logs.x, count: width / 100 })
  const up = extents.y && scaleOf(extents.y, y, { isLog: logs.y, count: height / 60 })
  if (along === undefined || up === undefined) return null
  const frame = frameOf(width, height, up)
  const placed = points.map(({ entity, along: right, up: high }) => {
    return { entity, x: xOf(frame, along, right), y: yOf(frame, up, high) }
  })
  return (
    <div class="plot" ref={box}>
      <p class="axis-name">↑ {measureText(y)}</p>
      <Dots
        dots={placed}
        width={width}
        height={height}
        radius={points.length > 800 ? 2.2 : points.length > 150 ? 3.2 : 4.5}
        label={`${label}. ${words.value.search.results(counted(points.length))}`}
        describe={(index) => {
          const point = points[index]
          return point === undefined ? '' : `${said(point.along, x)}, ${said(point.up, y)}`
        }}
      >
        <Axes frame={frame} along={along} up={up} />
      </Dots>
      <p class="axis-name along">{measureText(x)} →</p>
    </div>
  )
}

function pointsOf(entities: readonly Entity[], { x, y }: Chosen) {
  return entities.flatMap((entity) => {
    const [along, up] = [positionOf(entity, x), positionOf(entity, y)]
    return along === undefined || up === undefined ? [] : [{ entity, along, up }]
  })
}

function said(value: number, measure: Measure): string {
  return `${measure.field.label} ${positionText(value, measure)}${unitAfter(measure.field)}`
}
