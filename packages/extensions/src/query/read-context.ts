/** What every reader of a question is given. */
import type { InputFaults } from './input-faults.ts'
import type { KnownProperties } from './known-properties.ts'

/** The properties that may be named, and where faults are noted. */
export interface ReadContext {
  readonly properties: KnownProperties
  readonly faults: InputFaults
}
