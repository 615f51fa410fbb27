/** List page: the entities of a type, read page by page, as a table, a list or another layout. */
import type { JsonValue } from '@worldwright/client'
import { type Asked, isAsked, NOTHING_ASKED } from '@worldwright/extensions/views'
import { useMemo, useRef } from 'preact/hooks'
import { AskPanel, FilterChips } from '../ask/parts.ts'
import type { ChartProps } from '../charts/chart-props.ts'
import { entryNote, navigate, renameEntry } from '../navigation/navigation.ts'
import type { RouteTo } from '../navigation/route.ts'
import { FailureView, PartFailure } from '../parts/failure-view.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { To } from '../parts/link.tsx'
import { needed } from '../parts/loaded.tsx'
import { Waiting, WaitNotice } from '../parts/waiting.tsx'
import { useOpenWorld, WorldContext } from '../parts/world-context.ts'
import { type Askable, allAskablesOf, answersQuestions } from '../question/askable.ts'
import { pagesOfQuestion, questionOf } from '../question/question.ts'
import { counted, words } from '../words/words.ts'
import { tellsNews } from '../world/news.ts'
import { isEnded, pagesOfType, trailFrom, trailTo, walkFrom } from '../world/walk.ts'
import { typeIn } from '../world/world-profile.ts'
import { connectBy } from '../world/worlds.ts'
import { ListHead } from './list-head.tsx'
import { orderOf } from './list-order.ts'
import { isDrawn, useListShape } from './use-list-shape.ts'
import { useWalk, type Walk } from './use-walk.ts'

const ListLayout = needed(async () => (await import('./list-layout.tsx')).ListLayout)
const ReadAll = needed(async () => (await import('./list-layout.tsx')).ReadAll)

/** Maximum number of page starts kept in a history entry, so that earlier pages can be loaded after a reload. */
const MOST_TRAIL = 500

/** Page that lists the entities of a type. If the page has read them all, it answers for them itself. */
export function ListPage({ route }: { route: RouteTo<'list'> }) {
  const open = useOpenWorld()
  const read = open.reads.value.get(route.type)
  // Cursors in addresses are those of the world.
  const here = read ? { ...route, cursor: undefined, before: undefined } : route
  return (
    <WorldContext.Provider value={read ?? open}>
      <TypePage route={here} />
    </WorldContext.Provider>
  )
}

function TypePage({ route }: { route: RouteTo<'list'> }) {
  const { world, profile, read } = useOpenWorld()
  const type = typeIn(profile, route.type)
  const all = useMemo(() => allAskablesOf(profile, type), [profile, type.type])
  const askables = useMemo(() => all.filter(({ isBeside }) => isBeside !== true), [all])
  const asked = (answersQuestions(profile) && route.asked) || NOTHING_ASKED
  const { pages, walk, retry } = useListWalk(route, asked, all)
  const { walked, failure, isBusy } = walk
  const { entities } = walked
  const isEmpty = walked.isBegun && entities.length === 0 && isEnded(walked)
  const { columns, available, drawables, views, view } = useListShape(route, type, askables, walked)
  const named = useRef('')

  function onRow(row: number) {
    const start = walked.starts.findLast((one) => one.row <= row)
    const name = `${walk.entry} ${start?.row}`
    if (start === undefined || read || walk.isStale || named.current === name) return
    named.current = name
    const before = start.cursor === undefined ? undefined : walked.before + start.row
    renameEntry({ ...route, cursor: start.cursor, before }, trailTo(walked, row).slice(-MOST_TRAIL))
  }

  function onAsked(wanted: Asked) {
    const { cursor: _, before: __, asked: ___, ...rest } = route
    navigate(isAsked(wanted) ? { ...rest, asked: wanted } : rest)
  }

  const onSummary = (key: string) =>
    navigate({ ...route, cursor: undefined, before: undefined, view: 'summary', plot: { by: [key] } })
  const onColumns = (columns: readonly string[] | undefined) => navigate({ ...route, view, columns })
  if (failure !== undefined && !walked.isBegun && askables.length === 0)
    return <FailureView failure={failure} origin={world.origin} onRetry={retry} />
  const chart: ChartProps = {
    type: type.type,
    askables: drawables,
    asked,
    question: askables.length > 0 ? () => questionOf(type.type, asked, all) : undefined,
    entities,
    total: walked.total,
    plot: route.plot ?? {},
    onMoved: (plot) => renameEntry({ ...route, view, plot }),
    onPlot: (plot) => navigate({ ...route, view, plot }),
    onAsked,
  }
  const order = askables.length > 0 ? orderOf(asked, askables, onAsked) : undefined
  return (
    <div class={`page list-page ${askables.length > 0 ? 'asking' : ''}`}>
      <ListHead key={read?.at} {...{ type, route, walk, view, views, columns, pages }} />
      <div class={`list-body ${walk.isStale ? 'stale' : ''}`} id="results" tabIndex={-1} aria-busy={isBusy}>
        {askables.length > 0 && (
          <button type="button" class="skip" onClick={toFilters}>
            {words.value.ask.filters}
          </button>
        )}
        {walked.isBegun && (read || !answersQuestions(profile)) && (
          <ReadAll route={route} walked={walked} connect={connectBy} />
        )}
        <FilterChips asked={asked} askables={all} onAsked={onAsked} />
        {!walked.isBegun && failure === undefined && (
          <Waiting host={profile.host} read={{ isBusy, stop: () => walk.reader.stop(), retry }} />
        )}
        {isEmpty && <p>{isAsked(asked) ? words.value.ask.nothing : words.value.list.empty}</p>}
        {entities.length > 0 && (
          <ListLayout
            {...{ view, walk, columns, available, order, onRow, onColumns }}
            chart={chart}
            label={type.title}
          />
        )}
        {(!isDrawn(view) || chart.question === undefined) && <Foot {...{ walk, retry, type: type.type }} />}
      </div>
      {askables.length > 0 && (
        <AskPanel
          {...{ type: type.type, askables: all, asked, onAsked }}
          onSummary={views.includes('summary') ? onSummary : undefined}
        />
      )}
    </div>
  )
}

/** Opens the filters, which follow the list in the order of the Tab key, and focuses the first one. */
function toFilters(): void {
  const panel = document.querySelector<HTMLDetailsElement>('.ask-panel')
  panel?.setAttribute('open', '')
  panel?.querySelector('input')?.focus()
}

function useListWalk(route: RouteTo<'list'>, asked: Asked, askables: readonly Askable[]) {
  const { world, read } = useOpenWorld()
  const { type } = route
  const pages = useMemo(
    () =>
      isAsked(asked)
        ? pagesOfQuestion(world, () => questionOf(type, asked, askables))
        : pagesOfType(world, type),
    [world, askables, JSON.stringify(asked)],
  )
  const walk = useWalk(JSON.stringify([type, asked, route.cursor, read?.at]), pages, () =>
    walkFrom(route.cursor, route.before ?? 0, trailFrom(entryNote(), route.cursor)),
  )
  // Retrying with an invalid cursor would fail again, so the list restarts at its beginning.
  const retry =
    walk.failure?.cause === 'badCursor'
      ? () => navigate({ ...route, cursor: undefined, before: undefined })
      : () => walk.reader.retry()
  return { pages, walk, retry }
}

function Foot({ type, walk, retry }: { type: string; walk: Walk; retry: () => void }) {
  const { profile, world } = useOpenWorld()
  const { walked, failure, isBusy } = walk
  const { home, list } = words.value
  if (!walked.isBegun && failure === undefined) return null
  const loaded = walked.before + walked.entities.length
  const { total } = walked
  const line =
    isEnded(walked) && walked.doubt === undefined
      ? list.allLoaded(counted(total ?? loaded))
      : total === undefined
        ? list.loadedOnly(counted(loaded))
        : list.loaded(counted(loaded), counted(total))
  return (
    <footer class="list-foot">
      <PartFailure of={{ failure, retry }} />
      {walked.doubt !== undefined && <JsonTree value={walked.doubt.page as JsonValue} what={list.received} />}
      {isBusy && <WaitNotice host={profile.host} />}
      <span role="status">{isBusy ? list.loading : walked.isBegun && line}</span>
      {!isEnded(walked) && walked.isBegun && failure === undefined && !isBusy && (
        <button type="button" class="link" onClick={() => walk.reader.more()}>
          {list.loadMore}
        </button>
      )}
      {walked.isBegun && tellsNews(world) && (
        <To route={{ page: 'changes', origin: world.origin, type }}>{home.changes}</To>
      )}
    </footer>
  )
}
