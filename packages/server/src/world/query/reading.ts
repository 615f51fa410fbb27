/** What every reader of a question is given. */
import type { InputFaults } from './faults.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The properties that may be named, and where faults are noted. */
export interface Reading {
  readonly vocabulary: Vocabulary
  readonly faults: InputFaults
}
