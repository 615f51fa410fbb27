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
export class NewsReader {
  readonly #world: World
  readonly #type: string
  readonly #id: string | undefined
  readonly #onChange: (news: News) => void
  #since: Promise<string> | undefined
  #news = NO_NEWS

  /** Reads nothing before `begin`. */
  constructor(world: World, type: string, id: string | undefined, onChange: (news: News) => void) {
    this.#world = world
    this.#type = type
    // As worlds keep it.
    this.#id = id?.normalize()
    this.#onChange = onChange
  }

  /** Forgets all news, and notes where the log of the world ends now: what happens after this is news. */
  begin(): void {
    this.#since = this.#latest()
    // It is waited for later.
    this.#since.catch(() => {})
    this.#change(NO_NEWS)
  }

  /** Gathers news until the signal aborts, there is enough, or it fails: news are no reason to disturb a reader. */
  async read(signal: AbortSignal): Promise<void> {
    const types = [this.#type]
    try {
      const since = await this.#since
      for await (const change of this.#world.changes({ since, types, entities: true, signal })) {
        this.#since = Promise.resolve(change.next)
        if (this.#id !== undefined && change.id !== this.#id) continue
        const { createdAt, updatedAt } = ('entity' in change && change.entity) || {}
        const isNew = this.#news.get(change.id) ?? (createdAt !== undefined && createdAt === updatedAt)
        this.#change(new Map([...this.#news, [change.id, isNew]]))
        if (this.#news.size >= MOST_NEWS) return
      }
    } catch {}
  }

  async #latest(): Promise<string> {
    const { latest } = await import('@worldwright/client/changes')
    return latest(this.#world, { types: [this.#type] })
  }

  #change(news: News): void {
    this.#news = news
    this.#onChange(news)
  }
}
