/** All entities of a type: pages by cursor, as a table from the type's schema or as a list. */
import type { JsonValue } from '@worldwright/client'
import { useMemo, useRef, useState } from 'preact/hooks'
import { columnsOf } from '../data/fields.ts'
import { entryNote, navigate, renameEntry } from '../navigation/navigation.ts'
import type { Route, View } from '../navigation/route.ts'
import { FailureView } from '../parts/failure-view.tsx'
import { InfoIcon, SearchIcon } from '../parts/icons.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { To } from '../parts/link.tsx'
import { NewsButton } from '../parts/news-button.tsx'
import { Patience } from '../parts/patience.tsx'
import { Switch } from '../parts/switch.tsx'
import { ShortText } from '../parts/text.tsx'
import { useNews } from '../parts/use-news.ts'
import { Waiting } from '../parts/waiting.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { count, words } from '../words/words.ts'
import { pageSizeOf, type TypeOutlook, typeIn } from '../world/outlook.ts'
import { isEnded, type PageStart, trailTo, walkFrom } from '../world/walk.ts'
import { DownloadButtons } from './download-buttons.tsx'
import { EntityList } from './entity-list.tsx'
import { EntityTable } from './entity-table.tsx'
import { useWalk, type Walk } from './use-walk.ts'

type ListRoute = Extract<Route, { page: 'list' }>

/** Pages remembered on the way down, so that there is a way up after a reload. */
const MOST_TRAIL = 500

/** The list page of a type. */
export function ListPage({ route }: { route: ListRoute }) {
  const { world, outlook } = useOpenWorld()
  const type = typeIn(outlook, route.type)
  const [begin] = useState(() =>
    walkFrom(route.cursor, route.before ?? 0, trailFrom(entryNote(), route.cursor)),
  )
  const walk = useWalk(world, route.type, begin)
  const { walked, failure, isBusy } = walk
  const { entities } = walked
  const columns = useMemo(
    () =>
      columnsOf(
        type.schema,
        entities.slice(0, 50).map(({ attributes }) => attributes),
      ),
    // The sample decides only where there is no schema, and then with the first page.
    [type, entities.length === 0],
  )
  const view: View = route.view ?? (columns.length > 1 && innerWidth >= 640 ? 'table' : 'list')
  const named = useRef(0)

  function onRow(row: number) {
    const start = walked.starts.findLast((one) => one.row <= row)
    if (start === undefined || named.current === start.row) return
    named.current = start.row
    const before = start.cursor === undefined ? undefined : walked.before + start.row
    renameEntry({ ...route, cursor: start.cursor, before }, trailTo(walked, row).slice(-MOST_TRAIL))
  }

  if (failure !== undefined && !walked.isBegun) {
    const retry =
      failure.cause === 'badCursor'
        ? () => navigate({ ...route, cursor: undefined, before: undefined })
        : walk.retry
    return <FailureView failure={failure} origin={world.origin} onRetry={retry} />
  }
  return (
    <div class="page list-page">
      <Head type={type} route={route} walk={walk} view={view} />
      {!walked.isBegun && isBusy && <Waiting host={outlook.host} onStop={walk.stop} />}
      {walked.isBegun && entities.length === 0 && isEnded(walked) && <p>{words.value.list.empty}</p>}
      {entities.length > 0 &&
        (view === 'table' ? (
          <EntityTable walk={walk} columns={columns} label={type.title} onRow={onRow} />
        ) : (
          <EntityList walk={walk} label={type.title} onRow={onRow} />
        ))}
      <Foot walk={walk} before={walked.before} />
    </div>
  )
}

/** The pages that led to a cursor, as they were noted before a reload; none where anything else was noted. */
function trailFrom(note: unknown, cursor: string | undefined): PageStart[] {
  if (!Array.isArray(note) || !note.every(isPageStart) || note.at(-1)?.cursor !== cursor) return []
  return note.slice(0, -1)
}

function isPageStart(value: unknown): value is PageStart {
  const { row, cursor } = Object(value) as Partial<Record<keyof PageStart, unknown>>
  return typeof row === 'number' && (cursor === undefined || typeof cursor === 'string')
}

function Head({ type, route, walk, view }: { type: TypeOutlook; route: ListRoute; walk: Walk; view: View }) {
  const { world, outlook } = useOpenWorld()
  const { list } = words.value
  const { total, before, trail } = walk.walked
  const { news, forget } = useNews(world, type.type)
  const created = [...news.values()].filter(Boolean).length
  function showNews() {
    forget()
    walk.restart()
  }
  return (
    <header class="list-head">
      <div>
        <h1 class={`arrival hue-${type.hue}`} tabIndex={-1}>
          <span class="dot" aria-hidden="true" /> <ShortText text={type.title} most={100} />
          {total !== undefined && <span class="count">{count(total)}</span>}
        </h1>
        <NewsButton label={list.news(created, news.size - created)} onPress={showNews} />
        {type.description !== undefined && (
          <p class="soft clamp">
            <ShortText text={type.description} most={300} />
          </p>
        )}
      </div>
      <div class="row tools">
        <ViewChoice route={route} view={view} />
        {walk.walked.isBegun && (
          <DownloadButtons
            source={{
              name: type.type,
              total,
              pages: (signal) =>
                world.entities(type.type, { pageSize: pageSizeOf(outlook) }, { signal }).pages(),
            }}
          />
        )}
        <To route={{ page: 'search', origin: world.origin, text: '', types: [type.type] }} class="button">
          <SearchIcon />
          <span>{list.search}</span>
        </To>
      </div>
      {route.cursor !== undefined && (before > 0 || route.before === undefined) && (
        <p class="note">
          <InfoIcon /> {route.before === undefined ? list.middleUnknown : list.middle(count(before))}{' '}
          {trail.length > 0 && (
            <button type="button" class="link" onClick={walk.earlier}>
              {list.earlier}
            </button>
          )}{' '}
          <To route={{ ...route, cursor: undefined, before: undefined }}>{list.fromStart}</To>
        </p>
      )}
    </header>
  )
}

function ViewChoice({ route, view }: { route: ListRoute; view: View }) {
  const { list } = words.value
  return (
    <Switch
      label={list.view}
      value={view}
      choices={[
        ['table', list.table],
        ['list', list.list],
      ]}
      onChoice={(one) => navigate({ ...route, view: one }, 'replace')}
    />
  )
}

function Foot({ walk, before }: { walk: Walk; before: number }) {
  const { world, outlook } = useOpenWorld()
  const { walked, failure, isBusy } = walk
  const { list } = words.value
  if (!walked.isBegun) return null
  const loaded = before + walked.entities.length
  const { total } = walked
  const line =
    isEnded(walked) && walked.doubt === undefined
      ? list.allLoaded(count(total ?? loaded))
      : total === undefined
        ? list.loadedOnly(count(loaded))
        : list.loaded(count(loaded), count(total))
  return (
    <footer class="list-foot">
      {failure !== undefined && (
        <FailureView failure={failure} origin={world.origin} onRetry={walk.retry} level="part" />
      )}
      {walked.doubt !== undefined && <JsonTree value={walked.doubt.page as JsonValue} what={list.received} />}
      {isBusy && <Patience host={outlook.host} />}
      <span role="status">{isBusy ? list.loading : line}</span>
      {!isEnded(walked) && failure === undefined && !isBusy && (
        <button type="button" class="link" onClick={walk.more}>
          {list.loadMore}
        </button>
      )}
    </footer>
  )
}
