/** Interface of the JSON Schema validator. It is injected, because not every runtime allows compiled schemas. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { RecordFault } from './json-text.ts'

/** Result of a validation. `faults`: violations of the schema. `warnings`: strings that do not match their `format`. */
export interface Verdict {
  readonly faults: readonly RecordFault[]
  readonly warnings: readonly RecordFault[]
}

/** Validates a value against a single schema. */
export type Validator = (value: JsonValue) => Verdict

/** Compiles a JSON Schema (2020-12) to a validator. Throws an error with the reason if the schema is unusable. */
export type CompileSchema = (schema: JsonObject | boolean) => Validator
