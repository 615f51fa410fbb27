/** What stands above a list. */

import { navigate } from '../navigation/navigation.ts'
import type { Route, View } from '../navigation/route.ts'
import { InfoIcon, SearchIcon } from '../parts/icons.tsx'
import { To } from '../parts/link.tsx'
import { NewsButton } from '../parts/news-button.tsx'
import { Switch } from '../parts/switch.tsx'
import { ShortText } from '../parts/text.tsx'
import { useNews } from '../parts/use-news.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions } from '../question/askable.ts'
import { count, words } from '../words/words.ts'
import { pageSizeOf, type TypeOutlook } from '../world/outlook.ts'
import type { Pages } from '../world/pages.ts'
import { DownloadButtons } from './download-buttons.tsx'
import type { Walk } from './use-walk.ts'

type ListRoute = Extract<Route, { page: 'list' }>

interface ListHeadProps {
  readonly type: TypeOutlook
  readonly route: ListRoute
  readonly walk: Walk
  readonly view: View
  readonly pages: Pages
}

/** The title of a list, what is new in it, and what can be done with it. */
export function ListHead({ type, route, walk, view, pages }: ListHeadProps) {
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
              pages: (signal) => pages({ cursor: undefined, pageSize: pageSizeOf(outlook) }, signal),
            }}
          />
        )}
        {!answersQuestions(outlook) && (
          <To route={{ page: 'search', origin: world.origin, text: '', types: [type.type] }} class="button">
            <SearchIcon />
            <span>{list.search}</span>
          </To>
        )}
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
