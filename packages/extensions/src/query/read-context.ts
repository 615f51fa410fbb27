import type { InputFaults } from './input-faults.ts'
import type { KnownProperties } from './known-properties.ts'

/** Queryable properties, and the collector for faults. */
export interface ReadContext {
  readonly properties: KnownProperties
  readonly faults: InputFaults
}
