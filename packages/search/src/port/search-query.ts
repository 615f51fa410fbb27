/** One query and one result of a search. */
import type { DocumentKey } from './document.ts'

export type { Client, Query, Result } from '@worldwright/core/store'

/** One document that matches, and how well. */
export interface ScoredKey {
  readonly key: DocumentKey
  /** Higher is better; it only means something beside other scores of the same result. */
  readonly score: number
}
