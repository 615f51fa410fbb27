/** What has happened to the entities of a type since a page was read, for worlds that say so. */
import type { World } from '@worldwright/client'
import { isObject } from '../data/schema.ts'

/** The entities that something happened to, by id: true if they are new. */
export type News = ReadonlyMap<string, boolean>

/** What is told where nothing has happened. */
export const NO_NEWS: News = new Map()

/** So much is worth saying. A world that takes in a million entities is not followed any further. */
export const MOST_NEWS = 99

/** Whether a world says what changes in it. */
export function tellsNews({ document }: Pick<World, 'document'>): boolean {
  return isObject(document.extensions) && isObject(document.extensions['worldwright:changes'])
}

/** Gathers what happens to entities of one type, or to one of them, as often as it is read, from where it was left. */
export function createNewsReader(
  world: World,
  type: string,
  id: string | undefined,
  onChange: (news: News) => void,
) {
  const types = [type]
  // As worlds keep it.
  const wanted = id?.normalize()
  let since: Promise<string> | undefined
  let news = NO_NEWS

  function tell(told: News): void {
    news = told
    onChange(told)
  }

  async function end(): Promise<string> {
    const { latest } = await import('@worldwright/client/changes')
    return latest(world, { types })
  }

  return {
    /** Forgets all news, and notes where the log of the world ends now: what happens after this is news. */
    begin(): void {
      since = end()
      // Awaited later.
      since.catch(() => {})
      tell(NO_NEWS)
    },

    /** Gathers news until the signal aborts, there is enough, or it fails: news are no reason to disturb a reader. */
    async read(signal: AbortSignal): Promise<void> {
      try {
        for await (const change of world.changes({ since: await since, types, entities: true, signal })) {
          since = Promise.resolve(change.next)
          if (wanted !== undefined && change.id !== wanted) continue
          const { createdAt, updatedAt } = ('entity' in change && change.entity) || {}
          const isNew = news.get(change.id) ?? (createdAt !== undefined && createdAt === updatedAt)
          tell(new Map([...news, [change.id, isNew]]))
          if (news.size >= MOST_NEWS) return
        }
      } catch {}
    },
  }
}
