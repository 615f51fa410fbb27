/** Parses JSON text strictly, converts records to valid entities, and exports entities as NDJSON. */

export type { EntityFromRecord, RecordDefaults } from './entity-from-record.ts'
export { ENTITY_MEMBERS, entityFromRecord, isTypeName, MAX_ENTITY_BYTES } from './entity-from-record.ts'
export { gunzipped } from './gunzipped.ts'
export { lineRecords, MAX_LINE_BYTES } from './json-lines.ts'
export type { MemberSpan, Span, SpanEnd } from './json-spans.ts'
export { elementSpans, memberSpans, skipWhite } from './json-spans.ts'
export { malformed, type ParsedJson, parseJson, type ReadRecord, type RecordFault } from './json-text.ts'
export { surveyValue, type ValueSurvey } from './json-value.ts'
export { ndjsonExport, ndjsonPieces } from './ndjson-export.ts'
export type { CompileSchema, Validator, Verdict } from './schema-validator.ts'
