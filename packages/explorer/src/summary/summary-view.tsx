/** Summary of a list: its groups as a picture and as a table, with the controls that choose them. */
import '../charts/charts.css'
import './summary.css'
import { textOfValue } from '@worldwright/extensions/views'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useFacets } from '../ask/use-facets.ts'
import type { ChartProps } from '../charts/chart-props.ts'
import { REST } from '../charts/shades.ts'
import { Legend } from '../charts/use-look.tsx'
import { PartFailure } from '../parts/failure-view.tsx'
import { DownloadIcon } from '../parts/icons.tsx'
import { MoreItems } from '../parts/more-items.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Askable, allAskablesOf, isCounted, isMeasured } from '../question/askable.ts'
import { byFrom, columnFrom, isTimed, orderOf, proposedKey, textOfBy } from '../question/summary.ts'
import { plainText } from '../text/visible.ts'
import { count, words } from '../words/words.ts'
import { csvUrl } from '../world/downloads.ts'
import { typeIn } from '../world/world-profile.ts'
import { binText, columnText } from './group-text.ts'
import { SummaryControls } from './summary-controls.tsx'
import { SummaryLines } from './summary-lines.tsx'
import { SummaryTable } from './summary-table.tsx'
import { drawnOf, type Summarized, seriesOf, useSummary } from './use-summary.ts'

/** Number of groups read at first, and at most. Groups by two keys are read at once, as lines need all of them. */
const FIRST_GROUPS = 100
const MOST_GROUPS = 1_000
/** Maximum number of properties of each sort that are counted to find the most useful one. */
const MOST_TRIED = 8

/** The summary. Without keys in the address, it groups by the most useful property. */
export function SummaryView(props: ChartProps) {
  const { type, asked, plot, onPlot, onMoved } = props
  const { profile } = useOpenWorld()
  const askables = useMemo(
    () => allAskablesOf(profile, typeIn(profile, type)).filter(({ kind }) => kind !== 'place'),
    [profile, type],
  )
  const [limit, setLimit] = useState(FIRST_GROUPS)
  const { by, read: facets } = useKeys(props, askables)
  const columns = (plot.of ?? []).flatMap((text) => columnFrom(text, askables) ?? [])
  const order = orderOf(plot.order, by, columns)
  const { value, ...read } = useSummary(props, {
    by,
    columns,
    order,
    limit: by.length > 1 ? MOST_GROUPS : limit,
  })
  const { views, app } = words.value
  const failed = facets.failure === undefined ? read : facets
  const label = value === undefined ? '' : labelOf(value)
  const said = value === undefined ? failed.failure === undefined && app.loading : notesOf(value, label)
  const here = { by: by.map(textOfBy), of: plot.of, order: plot.order }
  // Bins that depend on the data are named in the address, since pages without scripts know only those of an address.
  useEffect(() => {
    const isBinned = by.some(({ bin }) => bin !== 'value' && bin !== 'year')
    if (isBinned && here.by.join() !== plot.by?.join()) onMoved(here)
  }, [here.by.join()])
  const shown = value?.grouped.groups.length ?? 0
  const total = value?.grouped.groupsTotal ?? 0
  const csv = value && total <= MOST_GROUPS ? csvUrl(profile, value.input) : undefined
  return (
    <figure class="chart summary" aria-busy={read.isBusy || facets.isBusy}>
      <SummaryControls
        {...{ askables, by, columns }}
        onBy={(by) => onPlot({ ...here, by, order: undefined })}
        onColumns={(of) => onPlot({ ...here, of })}
      />
      <PartFailure of={failed} />
      <figcaption>
        <span role="status">{said}</span>
      </figcaption>
      {value !== undefined && (
        <>
          {value.by[0] !== undefined && isTimed(value.by[0].askable) && shown > 1 && (
            <SummaryLines summary={value} />
          )}
          <SeriesLegend summary={value} />
          <SummaryTable
            summary={value}
            label={label}
            list={{ type, asked }}
            onOrder={(order) => onPlot({ ...here, order })}
          />
          <p class="row soft">
            {total > shown && views.shown(count(shown), count(total))}
            <MoreItems left={Math.min(total, MOST_GROUPS) - shown} onMore={() => setLimit(MOST_GROUPS)} />
            {csv !== undefined && (
              <a class="button small" href={csv} download="">
                <DownloadIcon /> CSV
              </a>
            )}
          </p>
        </>
      )}
    </figure>
  )
}

/** Returns the keys of the address, or else the most useful one. Counts values if bins or keys must be found. */
function useKeys({ type, asked, plot }: ChartProps, askables: readonly Askable[]) {
  const wanted = (plot.by ?? []).filter((text) => byFrom(text, askables, () => undefined) !== undefined)
  const own = askables.filter(({ isBeside }) => isBeside !== true)
  const tried = [
    ...own.filter(isCounted).slice(0, MOST_TRIED),
    ...own.filter(isMeasured).slice(0, MOST_TRIED),
  ]
  const counted =
    wanted.length === 0 ? tried : own.filter((one) => wanted.includes(one.key) && isMeasured(one))
  const read = useFacets({ ...asked, type, askables, keys: counted.map(({ key }) => key) })
  const facets = new Map(counted.length === 0 ? [] : read.value)
  const isReady = counted.length === 0 || (read.value !== undefined && !read.isBusy)
  const texts = wanted.length > 0 ? wanted : [proposedKey(own, facets) ?? '']
  const by = isReady
    ? texts.slice(0, 2).flatMap((text) => byFrom(text, askables, (key) => facets.get(key)) ?? [])
    : []
  return { by, read: counted.length === 0 ? { ...read, isBusy: false } : read }
}

/** Legend of the colours of the second key. */
function SeriesLegend({ summary }: { summary: Summarized }) {
  const [, by] = summary.by
  if (by === undefined) return null
  const shades = seriesOf(summary).map(({ key = null, color }) => {
    const label = color === REST ? words.value.views.rest : (binText(key, by) ?? textOfValue(key))
    return [label, { color, label }] as const
  })
  return <Legend askable={by.askable} shades={[...new Map(shades).values()]} />
}

function labelOf(summary: Summarized): string {
  const column = summary.columns[drawnOf(summary) - 1]
  const by = summary.by.map(({ askable }) => askable.field.label).join(', ')
  return plainText(words.value.views.drawn(columnText(column), by))
}

/** Returns what the summary shows, and what its numbers leave out. */
function notesOf({ by, columns, grouped, whole }: Summarized, label: string): string {
  const { views } = words.value
  const counted = grouped.groups.reduce((sum, { count }) => sum + count, 0)
  const left = columns.flatMap(({ askable }, index) => {
    const ignored = whole.ignored[index] ?? 0
    return ignored > 0 ? [views.ignored(count(ignored), plainText(askable.field.label))] : []
  })
  return [
    label,
    ...(grouped.partial || whole.partial ? [views.cutShort] : []),
    ...new Set(left),
    ...(by.length > 0 && whole.total !== undefined && counted > whole.total ? [views.several] : []),
  ].join(' · ')
}
