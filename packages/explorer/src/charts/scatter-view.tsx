/** Chart that plots two properties of a list against each other. */
import type { Entity } from '@worldwright/client'
import { hasValue } from '@worldwright/extensions/views'
import { useMemo } from 'preact/hooks'
import { EntityLink } from '../parts/entity-link.tsx'
import { Select } from '../parts/select.tsx'
import { isTime, type Measure, measuresAsked, measuresOf, positionOf } from '../question/measures.ts'
import { counted, unitAfter, words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import { ChartFigure, tableOf } from './chart-figure.tsx'
import type { ChartProps } from './chart-props.ts'
import { choicesOf, measureText } from './choose.tsx'
import { Dots } from './dots.tsx'
import { shownText, withoutText } from './notes.ts'
import { ChooseLogs, logsOf, PlotBox, type Plotting } from './plot-frame.tsx'
import { extentOf, positionText } from './scale.ts'
import { type Plotted, plotted, ScatterCells } from './scatter-cells.tsx'
import { useCounted } from './use-counted.ts'
import { type Look, useLook } from './use-look.tsx'
import { useIsLong, useSample } from './use-sample.ts'

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
        <Select
          key={axis}
          label={axis === 'x' ? views.along : views.up}
          choices={choicesOf(measures)}
          chosen={axis === 'x' ? x.key : y.key}
          onChoose={(key) => onPlot({ ...plot, x: x.key, y: y.key, [axis]: key })}
        />
      ))}
    />
  )
}

type Point = ReturnType<typeof pointsOf>[number]

const memory = createMemory<Plotted>(60)

function Scatter(props: ChartProps & Plotting) {
  const { askables, x, y, plot } = props
  const isLong = useIsLong(props)
  const mean = measuresOf(askables).find(
    ({ key, kind }) => key === plot.color && (kind === 'number' || kind === 'year'),
  )
  const depends = isLong ? [plot.log, mean?.key] : undefined
  const read = useCounted(props, { depends, where: [x.key, y.key].map(hasValue), memory }, (ask) =>
    plotted(ask, { x, y }, plot.log, mean?.key),
  )
  const isCells = isLong && (read.value === undefined || read.value.cells !== undefined)
  return isCells ? <ScatterCells {...props} read={read} measure={mean} /> : <ScatterPoints {...props} />
}

function ScatterPoints(props: ChartProps & Plotting) {
  const { x, y, plot, choose } = props
  const keys = [x.key, y.key]
  const look = useLook(props, ['color', 'size'])
  const sample = useSample(props, { keys, fields: [...keys, ...look.keys] })
  const points = useMemo(() => pointsOf(sample.entities, { x, y }), [sample.entities, x.key, y.key])
  const extents = { x: extentOf(points.map(({ along }) => along)), y: extentOf(points.map(({ up }) => up)) }
  const logs = logsOf({ x, y }, extents, plot.log)
  const name = words.value.views.against(measureText(y), measureText(x))
  return (
    <ChartFigure
      read={sample}
      controls={
        <>
          {choose}
          <ChooseLogs {...props} extents={extents} />
          {look.controls}
        </>
      }
      picture={<Cloud axes={{ x, y }} {...{ points, extents, logs }} label={name} lookOf={look.lookOf} />}
      legend={look.legend}
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
  props: Omit<Parameters<typeof PlotBox>[0], 'children'> & {
    points: readonly Point[]
    label: string
    lookOf: (entity: Entity) => Look
  },
) {
  const { axes, points, label, lookOf } = props
  return (
    <PlotBox {...props}>
      {(plot) => (
        <Dots
          dots={points.map(({ entity, along, up }) => {
            return { entity, x: plot.xOf(along), y: plot.yOf(up), ...lookOf(entity) }
          })}
          width={plot.width}
          height={plot.height}
          radius={points.length > 800 ? 2.2 : points.length > 150 ? 3.2 : 4.5}
          label={`${label}. ${words.value.search.results(counted(points.length))}`}
          describe={(index) => {
            const point = points[index]
            return point === undefined ? '' : `${said(point.along, axes.x)}, ${said(point.up, axes.y)}`
          }}
        >
          {plot.axes}
        </Dots>
      )}
    </PlotBox>
  )
}

function pointsOf(entities: readonly Entity[], { x, y }: Pick<Plotting, 'x' | 'y'>) {
  return entities.flatMap((entity) => {
    const [along, up] = [positionOf(entity, x), positionOf(entity, y)]
    return along === undefined || up === undefined ? [] : [{ entity, along, up }]
  })
}

function said(value: number, measure: Measure): string {
  return `${measure.field.label} ${positionText(value, measure)}${unitAfter(measure.field)}`
}
