/** Atom feed (RFC 4287) of a world's most recently changed entities. */
import type { Entity } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'
import { pagePath } from '../views/index.ts'
import { html } from './html.ts'
import { nameOf, seenText, shortText } from './seen-text.ts'

/** Path of the feed on the world's origin. */
export const FEED_PATH = '/feed.atom'

/** Media type of the feed. */
export const FEED_TYPE = 'application/atom+xml'

/** Metadata of the world for the feed, from `Download.about`. */
export interface FeedAbout {
  readonly world?: string | undefined
  readonly origin?: string | undefined
  readonly name?: string | undefined
  readonly license?: string | undefined
  readonly attribution?: string | undefined
}

/** Maximum number of entries in the feed. */
const MOST_ENTRIES = 50
/** Maximum length of an entry's summary, in characters. It is short, because feed readers fetch the feed repeatedly. */
const SUMMARY_CHARACTERS = 1_000
/** Timestamp of a feed without entries, since every feed must have one. */
const EPOCH = '1970-01-01T00:00:00Z'

/** Yields the text of the feed with the most recently changed entities of a snapshot, newest first. */
export async function* feedPieces(store: Store, about: FeedAbout): AsyncGenerator<string> {
  const { world = '', origin = '', name = world } = about
  const links = { title: name, id: world, self: origin + FEED_PATH, page: `${origin}/` }
  yield feedText(await newest(store), about, links)
}

/** Title and URLs of a feed. `id` identifies it forever; `self` is its own URL, `page` that of the page it follows. */
export interface FeedLinks {
  readonly title: string
  readonly id: string
  readonly self: string
  readonly page: string
}

/** Returns the text of a feed with these entities, which are ordered by the time of their last change, newest first. */
export function feedText(entities: readonly Entity[], about: FeedAbout, links: FeedLinks): string {
  const { world = '', origin = '', name = world, license, attribution = name } = about
  const content = html`<feed xmlns="http://www.w3.org/2005/Atom">
<title>${links.title}</title>
<id>${links.id}</id>
<link rel="self" href="${links.self}"/>
<link href="${links.page}"/>
<updated>${entities[0]?.updatedAt ?? EPOCH}</updated>
<author><name>${attribution}</name></author>
${license !== undefined && html`<rights>${license}</rights>`}
${entities.map((entity) => entryOf(entity, origin))}</feed>
`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content.text}`
}

function entryOf(entity: Entity, origin: string) {
  const { type, id, createdAt, updatedAt } = entity
  const summary = shortText(seenText(entity.summary) ?? type, SUMMARY_CHARACTERS)
  const url = origin + pagePath(type, id)
  return html`<entry>
<title>${nameOf(entity)}</title>
<id>${url}</id>
<link href="${url}"/>
<category term="${type}"/>
${createdAt !== undefined && html`<published>${createdAt}</published>`}
<updated>${updatedAt ?? EPOCH}</updated>
<summary>${summary}</summary>
</entry>
`
}

/** Scans the whole snapshot, because stores have no index by time. Ties are ordered by type and id. */
async function newest(store: Store): Promise<Entity[]> {
  const snapshot = await store.snapshot()
  let kept: Entity[] = []
  let least = ''
  try {
    for await (const { json } of snapshot.entities()) {
      const entity: Entity = JSON.parse(json)
      if ((entity.updatedAt ?? '') <= least) continue
      kept.push(entity)
      if (kept.length < 2 * MOST_ENTRIES) continue
      kept = first(kept)
      least = kept.at(-1)?.updatedAt ?? ''
    }
    return first(kept)
  } finally {
    await snapshot.close()
  }
}

function first(entities: readonly Entity[]): Entity[] {
  return entities
    .toSorted(({ updatedAt: one = '' }, { updatedAt: other = '' }) =>
      one < other ? 1 : one > other ? -1 : 0,
    )
    .slice(0, MOST_ENTRIES)
}
