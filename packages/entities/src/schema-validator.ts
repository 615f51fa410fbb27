/** Port to validation against JSON Schema. It is injected: compiling schemas takes code that not every runtime allows. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { RecordFault } from './json-text.ts'

/** Result of a validation: `faults` break the schema, `warnings` are values that do not match a `format`. */
export interface Verdict {
  readonly faults: readonly RecordFault[]
  readonly warnings: readonly RecordFault[]
}

/** Checks a value against one schema. */
export type Validator = (value: JsonValue) => Verdict

/** Compiles a schema (2020-12). Throws an error with the reason if the schema cannot be used. */
export type CompileSchema = (schema: JsonObject | boolean) => Validator
