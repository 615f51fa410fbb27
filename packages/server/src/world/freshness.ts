/** Whether what was read from the store before still holds: one question may serve all requests that came together. */
import type { MaybePromise, Storage } from '../storage/contract.ts'

/** The store's version, as fresh as a request needs it. */
export interface Freshness {
  /**
   * The version of a moment after the asking request arrived. `batch` stands for requests that had all arrived when
   * the first of them was handed over: they share one question. Without a batch the store is asked.
   */
  version(batch?: object): MaybePromise<string>
}

/** Watches a store. A write of any process that returned before a request was sent is never missed. */
export function createFreshness(storage: Pick<Storage, 'version'>): Freshness {
  let known: { batch: object; version: MaybePromise<string> } | undefined
  return {
    version(batch) {
      if (batch === undefined) return storage.version()
      if (known?.batch !== batch) known = { batch, version: storage.version() }
      return known.version
    },
  }
}
