/** Checks the constraints on the JSON values of an entity, whatever their source (decisions 2). */
import { pointerTo } from '@worldwright/client/protocol'
import type { RecordFault } from './json-text.ts'

/** Maximum nesting depth of a value. Deeper nesting may break recursive parsers. */
export const MAX_DEPTH = 64

/** From this magnitude on, a double is serialized with an exponent, so that no parser takes it for an exact integer. */
const WRITTEN_WITH_EXPONENT = 1e21

/** Maximum bytes of a serialized double, including adjacent punctuation. */
const NUMBER_BYTES = 26

/** Maximum number of faults collected in a survey; more would be of little use. */
const MAX_FAULTS = 20

/** Result of walking a value, accumulated along the way. */
export interface ValueSurvey {
  readonly faults: RecordFault[]
  /** Upper bound for the value's serialized size in bytes. It is cheap to compute and usually shows that the value fits. */
  bytesAtMost: number
}

/**
 * Walks a value and adds its size and faults to `survey`. Faults are values that JSON cannot express, non-finite numbers,
 * inexact integers, lone surrogates, NUL, and nesting beyond 64 levels. `pointer` points to the value.
 */
export function surveyValue(value: unknown, pointer: string, survey: ValueSurvey, depth = 1): void {
  if (typeof value === 'string') surveyText(value, pointer, survey)
  else if (typeof value === 'number') surveyNumber(value, pointer, survey)
  else if (typeof value === 'boolean' || value === null) survey.bytesAtMost += 6
  else if (typeof value !== 'object')
    addFault(survey, pointer, 'wrong_type', `${typeof value} is not a JSON value`)
  else if (depth > MAX_DEPTH) addFault(survey, pointer, 'too_many', `nested deeper than ${MAX_DEPTH} levels`)
  else surveyMembers(value, pointer, survey, depth)
}

/** Surveys a single string in the same way as `surveyValue`. */
export function surveyText(text: string, pointer: string, survey: ValueSurvey): void {
  survey.bytesAtMost += bytesAtMost(text)
  if (!text.isWellFormed())
    addFault(survey, pointer, 'malformed', 'holds a lone surrogate, which is no character')
  if (text.includes('\0')) addFault(survey, pointer, 'not_allowed', 'holds the character NUL')
}

/** Returns an upper bound for the serialized size of `text`, assuming that every code unit is escaped in six bytes. */
function bytesAtMost(text: string): number {
  return 6 * text.length + 3
}

function surveyNumber(value: number, pointer: string, survey: ValueSurvey): void {
  survey.bytesAtMost += NUMBER_BYTES
  if (!Number.isFinite(value)) addFault(survey, pointer, 'not_allowed', 'is beyond the range of a double')
  else if (
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    Math.abs(value) < WRITTEN_WITH_EXPONENT
  ) {
    const message = `${value} is a whole number beyond ±(2^53−1); write it as a string or in a larger unit`
    addFault(survey, pointer, 'not_allowed', message)
  }
}

function surveyMembers(value: object, pointer: string, survey: ValueSurvey, depth: number): void {
  survey.bytesAtMost += 3
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      surveyMember(value[index], pointer, index, survey, depth)
    return
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    addFault(survey, pointer, 'wrong_type', 'is neither a plain object nor an array')
    return
  }
  for (const key of Object.keys(value)) {
    if (isPlainText(key)) survey.bytesAtMost += bytesAtMost(key) + 1
    else surveyText(key, pointerTo(pointer, key), survey)
    surveyMember((value as Record<string, unknown>)[key], pointer, key, survey, depth)
  }
}

/** Surveys a member or element. Builds no pointer in the common case of a valid string or number. */
function surveyMember(
  value: unknown,
  pointer: string,
  key: string | number,
  survey: ValueSurvey,
  depth: number,
) {
  if (typeof value === 'string' && isPlainText(value)) survey.bytesAtMost += bytesAtMost(value)
  else if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    survey.bytesAtMost += NUMBER_BYTES
  else surveyValue(value, pointerTo(pointer, key), survey, depth + 1)
}

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Adds a fault to `survey`, unless the survey already has MAX_FAULTS faults. */
export function addFault(
  survey: ValueSurvey,
  pointer: string,
  reason: RecordFault['reason'],
  message: string,
): void {
  if (survey.faults.length < MAX_FAULTS) survey.faults.push({ pointer, reason, message })
}
