/** The query and the result of a search. */
import type { DocumentKey } from './document.ts'

export type { Client, Query, Result } from '@worldwright/core/store'

/** A document that matches, and its score. */
export interface ScoredKey {
  readonly key: DocumentKey
  /** Higher is better; scores compare only within the same result. */
  readonly score: number
}
