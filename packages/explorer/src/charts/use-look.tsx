/** Colour and size of the entities in a chart: the properties that determine them, their choice and their legend. */
import type { Entity } from '@worldwright/client'
import { NOTHING_ASKED, propertyOf, textOfValue } from '@worldwright/extensions/views'
import { ValueName } from '../ask/value-filter.tsx'
import { Select } from '../parts/select.tsx'
import { type Askable, isCounted } from '../question/askable.ts'
import { measuresOf } from '../question/measures.ts'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import type { ChartProps } from './chart-props.ts'
import { extremes } from './count-bins.ts'
import { MOST_KINDS, REST, type Shade, shadesOf, type Tint } from './shades.ts'
import { signOf } from './signs.ts'
import { useCounted } from './use-counted.ts'
import { MOST_DRAWN } from './use-sample.ts'

/** Colour and relative size of a mark. Without a colour, it has that of the page. */
export interface Look {
  readonly color?: string | undefined
  readonly size?: number
}

type Role = 'color' | 'size'

/** Address of the choice of no colour, if the list has a usual one. */
const NO_COLOR = '-'

const found = createMemory<Shade[]>(60)

/** Reads what determines the looks in a chart. `isMean` offers only numbers, whose means are the colours of cells. */
export function useLook(props: ChartProps, roles: readonly Role[], isMean = false) {
  const { plot, question, onPlot } = props
  // Without queries, nobody knows the values of the whole list.
  const askables = question === undefined ? [] : props.askables
  const { views } = words.value
  const numbers = askables.filter((one) => measuresOf([one]).length > 0)
  const offered = {
    color: isMean ? numbers.filter(({ kind }) => kind === 'number') : askables.filter(isShaded),
    size: numbers,
  }
  const usual = { color: isMean ? undefined : usualColor(props, offered.color), size: undefined }
  const at = (role: Role) =>
    roles.includes(role)
      ? offered[role].find(({ key }) => key === (plot[role] ?? usual[role]?.key))
      : undefined
  const [color, size] = [at('color'), at('size')]
  const colors = useShades(props, isMean ? undefined : color)
  const sizes = useShades(props, size)
  const controls = roles
    .filter((role) => offered[role].length > 0)
    .map((role) => (
      <Select
        key={role}
        label={views[role]}
        choices={[
          [usual[role] ? NO_COLOR : '', isMean ? views.number : '–'],
          ...offered[role].map(({ key, field }) => [key, plainText(field.label)] as const),
        ]}
        chosen={at(role)?.key ?? (usual[role] ? NO_COLOR : '')}
        onChoose={(key) => onPlot({ ...plot, [role]: key || undefined })}
      />
    ))
  return {
    controls,
    color,
    colors,
    /** Keys of the properties, which a sample must contain. */
    keys: [color, size].flatMap((one) => one?.key ?? []),
    lookOf: (entity: Entity): Look => ({
      color: colors?.find(({ holds }) => holds(entity))?.color,
      ...(sizes && { size: sizeAt(sizes.find(({ holds }) => holds(entity))?.step) }),
    }),
    legend: (
      <>
        {color && colors && <Legend askable={color} shades={colors} />}
        {size && sizes && <Legend askable={size} shades={sizes} isSize />}
      </>
    ),
  }
}

/** Returns the relative size at a position of the ramp. Marks without a value are the smallest. */
function sizeAt(step = -0.25): number {
  return 0.8 + step * 1.2
}

/**
 * Returns the property that colours a list unless the reader chooses another: the first with listed values, or else the first
 * single reference. Undefined for a list that is too long to draw each entity.
 */
function usualColor({ total = Number.POSITIVE_INFINITY }: ChartProps, offered: readonly Askable[]) {
  if (total > MOST_DRAWN) return undefined
  const own = offered.filter(({ isBeside }) => isBeside === undefined)
  return (
    own.find(({ field }) => Array.isArray(field.schema['enum'])) ??
    own.find(({ kind, field }) => kind === 'reference' && field.schema['items'] === undefined)
  )
}

function isShaded(askable: Askable): boolean {
  return isCounted(askable) || measuresOf([askable]).length > 0
}

/** Legend of a property: each shade with its label. With `isSize`, each size. */
export function Legend(props: {
  askable: Pick<Askable, 'field' | 'kind'>
  shades: readonly Tint[]
  isSize?: boolean
}) {
  const { askable, shades, isSize } = props
  return (
    <ul class="legend" aria-label={askable.field.label}>
      <li>{askable.field.label}</li>
      {shades.map(({ color, label, step }) => {
        const isValue = step === undefined && color !== REST
        const tint = { background: color, '--sign': signOf(color) }
        return (
          <li key={label}>
            <i style={isSize === true ? { scale: String(sizeAt(step)) } : tint} />
            {isValue ? <ValueName value={label} askable={askable as Askable} /> : label}
          </li>
        )
      })}
    </ul>
  )
}

/** Reads the shades of a property. Values are those of the whole type: a value keeps its colour if the filters change. */
function useShades(props: ChartProps, askable: Askable | undefined): readonly Shade[] | undefined {
  const isRamp = askable !== undefined && measuresOf([askable]).length > 0
  const question = props.question && (async () => ({ types: [props.type] }))
  const list = isRamp ? props : { ...props, asked: NOTHING_ASKED, question }
  const options = { depends: askable && [askable.key], memory: found, once: true }
  return useCounted(list, options, async (ask) => {
    if (askable === undefined) return []
    const [measure] = measuresOf([askable])
    if (measure !== undefined) return shadesOf(askable, await extremes(ask, measure), [])
    const facet = { property: propertyOf(askable.key), kind: askable.kind, limit: MOST_KINDS }
    const [counts] = (await ask({ facets: [facet] })).facets
    return shadesOf(askable, undefined, counts?.buckets.map(({ value }) => textOfValue(value)) ?? [])
  }).value
}
