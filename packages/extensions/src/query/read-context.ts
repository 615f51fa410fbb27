/** Context shared by all readers of a query. */
import type { InputFaults } from './input-faults.ts'
import type { KnownProperties } from './known-properties.ts'

/** The properties that may be named, and the collector of faults. */
export interface ReadContext {
  readonly properties: KnownProperties
  readonly faults: InputFaults
}
