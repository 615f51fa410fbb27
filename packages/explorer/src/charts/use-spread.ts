/** The counts of a measure's ranges, as a chart of a list needs them. */
import { useMemo } from 'preact/hooks'
import { useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { withFilter } from '../question/filters.ts'
import { boundText, type Measure } from '../question/measures.ts'
import { unitText } from '../words/words.ts'
import { createMemory } from '../world/memory.ts'
import type { Bin } from './bins.ts'
import type { ChartProps } from './chart-props.ts'
import { countBins, countLoaded, type Spread } from './count-bins.ts'
import { positionText } from './scale.ts'

const spreads = createMemory<Spread | undefined>(60)

/** Counts what the list asks for by ranges of `measure`; without one nothing is counted. */
export function useSpread(props: ChartProps, measure: Measure | undefined, log: boolean | undefined) {
  const { world } = useOpenWorld()
  const { type, asked, question, entities } = props
  const { sort: _, ...counted } = asked
  const key =
    measure === undefined || question === undefined
      ? undefined
      : JSON.stringify([world.origin, type, counted, measure.key, log])
  const remote = useRemote(
    key,
    async (signal) =>
      measure && question && countBins(world, await question(), asked.filters, measure, log, signal),
    { memory: spreads },
  )
  const loaded = useMemo(
    () => (measure === undefined || question !== undefined ? undefined : countLoaded(props, measure, log)),
    [measure, question === undefined, log, entities],
  )
  return question === undefined ? { ...remote, value: loaded, isBusy: false, failure: undefined } : remote
}

/** What a range holds, in words: `1990 – 1999`, `10 – 20 km`. */
export function rangeText({ from, to }: Bin, measure: Measure): string {
  const last = lastOf(to, measure)
  const unit = measure.field.unit === undefined ? '' : ` ${unitText(measure.field.unit)}`
  const [first, end] = [positionText(from, measure), positionText(last, measure)]
  return first === end ? `${first}${unit}` : `${first} – ${end}${unit}`
}

/** What is asked once a list is narrowed down to a range. */
export function narrowedTo({ from, to }: Bin, measure: Measure, asked: ChartProps['asked']) {
  const { key } = measure
  const filter = {
    is: 'range',
    key,
    from: boundText(from, measure),
    to: boundText(lastOf(to, measure), measure),
  } as const
  return { ...asked, filters: withFilter(asked.filters, key, filter) }
}

/** The last value of a range, of which the end belongs to the next: of whole numbers and days the one before it. */
function lastOf(to: number, { kind, isWhole }: Measure): number {
  if (kind === 'day') return to - 86_400_000
  if (kind === 'instant') return to - 1
  return isWhole || kind === 'year' ? to - 1 : to
}
