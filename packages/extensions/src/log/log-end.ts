/** End of a store's log. */
import type { CallOptions, Store } from '@worldwright/core/store'

/** Reads the offset at the end of a log, once per version of the store. */
export class LogEnd {
  readonly #store: Pick<Store, 'version' | 'changes'>
  #known: { readonly version: string; readonly offset: string } | undefined

  constructor(store: Pick<Store, 'version' | 'changes'>) {
    this.#store = store
  }

  /** Returns the offset of the end of the log as of this call, or of a later time before the call resolves. */
  async read(options: CallOptions): Promise<string> {
    // Read first, so that a write in between makes the known version outdated, never the offset.
    const version = await this.#store.version(options)
    if (this.#known?.version === version) return this.#known.offset
    const { next } = await this.#store.changes({ limit: 0, ...options })
    this.#known = { version, offset: next }
    return next
  }
}
