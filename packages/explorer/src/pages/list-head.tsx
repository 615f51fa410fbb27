/** Header of a list page. */

import type { Field } from '@worldwright/extensions/shown'
import type { Layout } from '@worldwright/extensions/views'
import { ListEditing } from '../edit/tools.tsx'
import type { RouteTo } from '../navigation/route.ts'
import { InfoIcon, SearchIcon } from '../parts/icons.tsx'
import { To } from '../parts/link.tsx'
import { needed } from '../parts/loaded.tsx'
import { NewsButton, useNews } from '../parts/news.tsx'
import { ShortText } from '../parts/text.tsx'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersQuestions } from '../question/askable.ts'
import { count, counted, words } from '../words/words.ts'
import type { Pages } from '../world/walk.ts'
import type { TypeProfile } from '../world/world-profile.ts'
import { isDrawn } from './use-list-shape.ts'
import type { Walk } from './use-walk.ts'

const ListTools = needed(async () => (await import('./list-layout.tsx')).ListTools)

/** Header of a list: title, news and controls. */
export function ListHead(props: {
  type: TypeProfile
  route: RouteTo<'list'>
  walk: Walk
  view: Layout
  views: readonly Layout[]
  columns: readonly Field[]
  pages: Pages
}) {
  const { type, route, walk, view, views, columns, pages } = props
  const { world, profile } = useOpenWorld()
  const { list } = words.value
  const { total, before, trail } = walk.walked
  const { news, forget } = useNews(world, type.type)
  const created = [...news.values()].filter(Boolean).length
  function showNews() {
    forget()
    walk.reader.restart()
  }
  return (
    <header class="list-head">
      <div>
        <h1 class="arrival" style={type.style} tabIndex={-1}>
          <span class="dot" aria-hidden="true" /> <ShortText text={type.title} most={100} />
          {total !== undefined && <span class="count">{count(total)}</span>}
        </h1>
        <NewsButton label={list.news(counted(created), counted(news.size - created))} onPress={showNews} />
      </div>
      <div class="row tools">
        {walk.walked.isBegun && <ListTools {...{ route, walk, columns, pages }} />}
        <ListEditing route={route} walk={walk} />
        {!answersQuestions(profile) && (
          <To route={{ page: 'search', origin: world.origin, text: '', types: [type.type] }} class="button">
            <SearchIcon />
            <span>{list.search}</span>
          </To>
        )}
      </div>
      <ViewChoice route={route} view={view} views={views} />
      {type.description !== undefined && (
        <p class="soft clamp">
          <ShortText text={type.description} most={300} />
        </p>
      )}
      {route.cursor !== undefined && (before > 0 || route.before === undefined) && (
        <p class="note">
          <InfoIcon /> {route.before === undefined ? list.middleUnknown : list.middle(counted(before))}{' '}
          {trail.length > 0 && (
            <button type="button" class="link" onClick={() => walk.reader.earlier()}>
              {list.earlier}
            </button>
          )}{' '}
          <To route={{ ...route, cursor: undefined, before: undefined }}>{list.fromStart}</To>
        </p>
      )}
    </header>
  )
}

/** Links to the layouts, so that a layout can be opened in a new tab and Back returns to the previous layout. */
function ViewChoice(props: { route: RouteTo<'list'>; view: Layout; views: readonly Layout[] }) {
  const { route, view, views } = props
  const { list, views: names } = words.value
  return (
    <nav class="switch" aria-label={list.view} data-asks="">
      {views.map((one) => (
        <To
          key={one}
          route={{ ...route, view: one, plot: undefined, ...(isDrawn(one) ? FROM_START : {}) }}
          isHere={one === view}
        >
          {names[one]}
        </To>
      ))}
    </nav>
  )
}

/** Route members for a chart, which shows the whole list instead of starting at the scroll position. */
const FROM_START = { cursor: undefined, before: undefined }
