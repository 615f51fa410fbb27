/** What has happened to the entities of a type since a page was read, for worlds that say so. */
import type { Entity, World } from '@worldwright/client'
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

/**
 * Waits until an entity is no longer as it was received, or is gone. Answers false if the signal aborts first, or the world
 * cannot be followed: news are no reason to disturb a reader.
 */
export async function hasChanged(world: World, received: Entity, signal: AbortSignal): Promise<boolean> {
  try {
    const { watch } = await import('@worldwright/client/changes')
    for await (const entity of watch(world, received.type, received.id, { signal })) {
      if (entity?.revision !== received.revision) return true
    }
  } catch {}
  return false
}

/** Gathers what happens to entities of one type, as often as it is read, from where it was left. */
export function createNewsReader(world: World, type: string, onChange: (news: News) => void) {
  const types = [type]
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
    /** Forgets all news, and notes where the log of the world ends now: what happens after that is news. */
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
          const { createdAt, updatedAt } = ('entity' in change && change.entity) || {}
          const isNew = news.get(change.id) ?? (createdAt !== undefined && createdAt === updatedAt)
          tell(new Map([...news, [change.id, isNew]]))
          if (news.size >= MOST_NEWS) return
        }
      } catch {}
    },
  }
}
