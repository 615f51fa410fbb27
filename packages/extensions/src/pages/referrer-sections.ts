/** Page sections that list the referrers of an entity, cached until the store changes. */
import type { EntityRef } from '@worldwright/client/protocol'
import type { World } from '@worldwright/core'
import type { Query, Source } from '@worldwright/core/store'
import type { Html } from './html.ts'
import { referrersHtml, referrersOf } from './referrers.ts'

/** Maximum total length of cached sections, in characters: enough for a few thousand of the usual size. */
const MOST_KEPT = 8_000_000

/** Section of referrers, and whether its search was cut short. */
export interface ReferrerSection {
  /** Markup of the section, or undefined if there are no referrers. */
  readonly html: Html | undefined
  readonly isPartial: boolean
}

/**
 * Caches the sections of one world until the next write. Each section takes one search with the usual budget. A page whose
 * response is not cached can still reuse its section. Partial sections are not cached.
 */
export class ReferrerSections {
  readonly #world: Pick<World, 'find' | 'types'>
  readonly #source: Pick<Source, 'version'>
  readonly #kept = new Map<string, Html | undefined>()
  #version = ''
  #size = 0

  constructor(world: Pick<World, 'find' | 'types'>, source: Pick<Source, 'version'>) {
    this.#world = world
    this.#source = source
  }

  /** Returns the section of an entity. Rejects if the search fails. */
  async of({ type, id }: EntityRef, asking: Pick<Query, 'client' | 'signal'>): Promise<ReferrerSection> {
    const version = await this.#source.version({ signal: asking.signal })
    if (version !== this.#version) this.#forget(version)
    const key = JSON.stringify([type, id])
    if (this.#kept.has(key)) return { html: this.#kept.get(key), isPartial: false }
    const found = await referrersOf({ type, id }, this.#world, asking)
    const html = found && referrersHtml(found, await this.#world.types())
    const isPartial = found?.counted.partial === true
    // If the store has changed during the search, the next request discards the cache anyway.
    if (!isPartial && version === this.#version) this.#keep(key, html)
    return { html, isPartial }
  }

  #forget(version: string): void {
    this.#version = version
    this.#kept.clear()
    this.#size = 0
  }

  #keep(key: string, html: Html | undefined): void {
    // Another request may have cached it meanwhile.
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
