/** Referrers of entities, as sections of their pages, cached until the store changes. */
import type { EntityRef } from '@worldwright/client/protocol'
import type { World } from '@worldwright/core'
import type { Query, Store } from '@worldwright/core/store'
import type { Html } from './html.ts'
import { referrersHtml, referrersOf } from './referrers.ts'

/** Maximum characters of all cached sections together: a few thousand of the usual size. */
const MOST_KEPT = 8_000_000

/** A section, and whether its search was cut short. */
export interface ReferrerSection {
  /** Absent: no referrers. */
  readonly html: Html | undefined
  readonly isPartial: boolean
}

/**
 * Owns the sections of one world. Each is searched for within the budget of a search, and cached until the next write.
 * A page that depends on its own origin is not cached as a whole, but its section still needs no new search. A partial
 * section is not cached.
 */
export class ReferrerSections {
  readonly #world: Pick<World, 'find' | 'types'>
  readonly #storage: Pick<Store, 'version'>
  readonly #kept = new Map<string, Html | undefined>()
  #version = ''
  #size = 0

  constructor(world: Pick<World, 'find' | 'types'>, storage: Pick<Store, 'version'>) {
    this.#world = world
    this.#storage = storage
  }

  /** Returns the section of an entity. Rejects as a search does. */
  async of({ type, id }: EntityRef, asking: Pick<Query, 'client' | 'signal'>): Promise<ReferrerSection> {
    const version = await this.#storage.version({ signal: asking.signal })
    if (version !== this.#version) this.#forget(version)
    const key = JSON.stringify([type, id])
    if (this.#kept.has(key)) return { html: this.#kept.get(key), isPartial: false }
    const found = await referrersOf({ type, id }, this.#world, asking)
    const html = found && referrersHtml(found, await this.#world.types())
    const isPartial = found?.counted.partial === true
    // A result found after a later write is newer than this version, and would only have to be searched for again.
    if (!isPartial && version === this.#version) this.#keep(key, html)
    return { html, isPartial }
  }

  #forget(version: string): void {
    this.#version = version
    this.#kept.clear()
    this.#size = 0
  }

  #keep(key: string, html: Html | undefined): void {
    // Two requests may have searched for it at once.
    if (this.#kept.has(key)) return
    const size = key.length + (html?.text.length ?? 0)
    for (const [oldest, old] of this.#kept) {
      if (this.#size + size <= MOST_KEPT) break
      this.#kept.delete(oldest)
      this.#size -= oldest.length + (old?.text.length ?? 0)
    }
    this.#kept.set(key, html)
    this.#size += size
  }
}
