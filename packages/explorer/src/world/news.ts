/** Changes to entities since a page was loaded, in worlds that publish a change log. */
import type { Entity, World } from '@worldwright/client'
import { isObject } from '@worldwright/extensions/shown'

/** Changes by entity id. The value is true if the entity is new. */
export type News = ReadonlyMap<string, boolean>

/** The empty news, before anything has changed. */
export const NO_NEWS: News = new Map()

/** Maximum number of changes to report, since a bulk import may change a million entities. */
export const MOST_NEWS = 99

/** Reports whether a world publishes its changes. */
export function tellsNews({ document }: Pick<World, 'document'>): boolean {
  return isObject(document.extensions) && isObject(document.extensions['worldwright:changes'])
}

/**
 * Waits until an entity has been changed or deleted since it was received, and returns true. Returns false if the signal
 * aborts first or following the world fails, which must not disturb the user.
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

/** Creates a reader that collects changes to entities of a type. Each read resumes where the previous one ended. */
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
    /** Discards the collected news and starts again from the end of the change log. */
    begin(): void {
      since = end()
      // Avoid an unhandled rejection. The promise is awaited later.
      since.catch(() => {})
      tell(NO_NEWS)
    },

    /** Collects news until the signal aborts, the maximum is reached, or an error occurs. Errors are ignored. */
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
