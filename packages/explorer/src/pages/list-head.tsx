/** What stands above a list. */

import type { Route, View } from '../navigation/route.ts'
import { InfoIcon, SearchIcon } from '../parts/icons.tsx'
import { To } from '../parts/link.tsx'
import { NewsButton } from '../parts/news-button.tsx'
import { ShortText } from '../parts/text.tsx'
import { useNews } from '../parts/use-news.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions } from '../question/askable.ts'
import { isAsked, NOTHING_ASKED } from '../question/filters.ts'
import { count, counted, words } from '../words/words.ts'
import { downloadsUrl } from '../world/downloads.ts'
import type { Pages } from '../world/pages.ts'
import { pageSizeOf, type TypeProfile } from '../world/world-profile.ts'
import { DownloadButtons } from './download-buttons.tsx'
import { DownloadMenu } from './download-menu.tsx'
import type { Walk } from './use-walk.ts'

type ListRoute = Extract<Route, { page: 'list' }>

interface ListHeadProps {
  readonly type: TypeProfile
  readonly route: ListRoute
  readonly walk: Walk
  readonly view: View
  /** The layouts that are offered. */
  readonly views: readonly View[]
  readonly pages: Pages
}

/** The title of a list, what is new in it, and what can be done with it. */
export function ListHead({ type, route, walk, view, views, pages }: ListHeadProps) {
  const { world, profile } = useOpenWorld()
  const { list } = words.value
  const { total, before, trail } = walk.walked
  const { news, forget } = useNews(world, type.type)
  const created = [...news.values()].filter(Boolean).length
  function showNews() {
    forget()
    walk.restart()
  }
  // The files of a world hold all of a type, and not what is asked of it.
  const listUrl = isAsked(route.asked ?? NOTHING_ASKED) ? undefined : downloadsUrl(profile)
  const buttons = (
    <DownloadButtons
      source={{
        name: type.type,
        total,
        pages: (signal) => pages({ cursor: undefined, pageSize: pageSizeOf(profile) }, signal),
      }}
    />
  )
  return (
    <header class="list-head">
      <div>
        <h1 class={`arrival hue-${type.hue}`} tabIndex={-1}>
          <span class="dot" aria-hidden="true" /> <ShortText text={type.title} most={100} />
          {total !== undefined && <span class="count">{count(total)}</span>}
        </h1>
        <NewsButton label={list.news(counted(created), counted(news.size - created))} onPress={showNews} />
        {type.description !== undefined && (
          <p class="soft clamp">
            <ShortText text={type.description} most={300} />
          </p>
        )}
      </div>
      <div class="row tools">
        <ViewChoice route={route} view={view} views={views} />
        {walk.walked.isBegun &&
          (listUrl === undefined ? (
            buttons
          ) : (
            <DownloadMenu listUrl={listUrl} type={type.type} otherwise={buttons} />
          ))}
        {!answersQuestions(profile) && (
          <To route={{ page: 'search', origin: world.origin, text: '', types: [type.type] }} class="button">
            <SearchIcon />
            <span>{list.search}</span>
          </To>
        )}
      </div>
      {route.cursor !== undefined && (before > 0 || route.before === undefined) && (
        <p class="note">
          <InfoIcon /> {route.before === undefined ? list.middleUnknown : list.middle(counted(before))}{' '}
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

/** Links, so that each layout can be opened in a tab of its own, and the way back leads to the one before. */
function ViewChoice({ route, view, views }: { route: ListRoute; view: View; views: readonly View[] }) {
  const { list, views: names } = words.value
  return (
    <nav class="switch" aria-label={list.view} data-asks="">
      {views.map((one) => (
        <To
          key={one}
          route={{ ...route, view: one, plot: undefined, ...(KEEPS_PLACE.has(one) ? {} : FROM_START) }}
          isHere={one === view}
        >
          {names[one]}
        </To>
      ))}
    </nav>
  )
}

/** Layouts that begin where the list was scrolled to; the others draw all of it. */
const KEEPS_PLACE: ReadonlySet<View> = new Set(['table', 'list', 'gallery'])
const FROM_START = { cursor: undefined, before: undefined }
