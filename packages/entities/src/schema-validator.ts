/** Validating against JSON Schema, as whoever needs it is given it: compiling schemas takes code that not every runtime allows. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { RecordFault } from './json-text.ts'

/** What a value came to: `faults` break the schema, `warnings` are values that a `format` does not describe. */
export interface Verdict {
  readonly faults: readonly RecordFault[]
  readonly warnings: readonly RecordFault[]
}

/** Checks a value against one schema. */
export type Validator = (value: JsonValue) => Verdict

/** Compiles a schema (2020-12). Throws an error that says why one cannot be used. */
export type CompileSchema = (schema: JsonObject | boolean) => Validator
