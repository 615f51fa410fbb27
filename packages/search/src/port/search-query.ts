/** Search queries and results. */
import type { DocumentKey } from './document.ts'

export type { Client, Query, Result } from '@worldwright/core/store'

/** Key and score of a matching document. */
export interface ScoredKey {
  readonly key: DocumentKey
  /** Score, higher for better matches. Comparable only within the same result. */
  readonly score: number
}
