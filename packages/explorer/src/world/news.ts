/** Changes to the entities of a type since a page was read, for worlds that publish them. */
import type { Entity, World } from '@worldwright/client'
import { isObject } from '../data/schema.ts'

/** The entities that changed, by id: true if they are new. */
export type News = ReadonlyMap<string, boolean>

/** The news while nothing has changed. */
export const NO_NEWS: News = new Map()

/** Maximum news that are reported. A world that takes in a million entities is not followed any further. */
export const MOST_NEWS = 99

/** Reports whether a world publishes its changes. */
export function tellsNews({ document }: Pick<World, 'document'>): boolean {
  return isObject(document.extensions) && isObject(document.extensions['worldwright:changes'])
}

/**
 * Waits until an entity has changed since it was received, or is gone. Returns false if the signal aborts first, or the
 * world cannot be followed: news are no reason to disturb the user.
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

/** Creates a reader that collects changes to entities of one type; each read resumes where the last one ended. */
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
    /** Discards all news, and records where the log of the world ends now: later changes are news. */
    begin(): void {
      since = end()
      // Awaited later.
      since.catch(() => {})
      tell(NO_NEWS)
    },

    /** Collects news until the signal aborts, the maximum is reached, or it fails: news are no reason to disturb the user. */
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
