/** Links of the home page: the featured stories, and the views that the world publishes as entities. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { Mount } from '@worldwright/core'
import { textMember } from '../shown/schema.ts'
import { blockOf, type Story } from '../stories/index.ts'
import { VIEW_TYPE, viewFrom, viewPath } from '../views/index.ts'
import { seenText, shortText } from './seen-text.ts'
import { storyPath } from './story-page.ts'

/** Maximum number of published views, which discovery lists, and of the UTF-16 code units of a title and of a path. */
const [MOST_VIEWS, MOST_TITLE, MOST_PATH] = [20, 200, 2_000]

/** A page that the home page names. */
export type Featured = Readonly<{ path: string; title: string; description?: string }>

/**
 * Returns the featured stories and then, in a public world, the published views in the order of their ids, but one of each
 * layout, ordered and not, before a second one. An entity whose path is not that of a view is left out.
 */
export async function featuredOf(
  stories: readonly Story[],
  types: readonly EntityTypeDescription[],
  { source, admission }: Pick<Mount, 'source' | 'admission'>,
): Promise<readonly Featured[]> {
  const told = stories.flatMap(({ isFeatured, title, description, ...story }) =>
    isFeatured ? [{ path: storyPath(story), title, ...(description !== undefined && { description }) }] : [],
  )
  // Discovery is public even if the world is private.
  if (admission() || !types.some(({ type }) => type === VIEW_TYPE)) return told
  const { entities } = await source.list(VIEW_TYPE, { limit: MOST_VIEWS })
  const kinds = new Map<string, number>()
  const views = entities.flatMap(({ json }) => {
    const { title: named, attributes } = JSON.parse(json)
    const title = shortText(seenText(named) ?? '', MOST_TITLE)
    const path = textMember(attributes, 'path') ?? ''
    const block = path.length > MOST_PATH ? undefined : blockOf(path, 0)
    if (title === '' || block === undefined || !('query' in block)) return []
    const { view, unread } = viewFrom(new URLSearchParams(block.query))
    if (unread.length > 0) return []
    const kind = `${view.view ?? 'table'} ${Boolean(view.asked?.sort)}`
    const nth = kinds.get(kind) ?? 0
    kinds.set(kind, nth + 1)
    return [{ nth, shown: { path: viewPath(block.type, view), title } }]
  })
  return [...told, ...views.toSorted((a, b) => a.nth - b.nth).map(({ shown }) => shown)]
}
