/** What any JSON value in an entity must keep to, wherever it came from (decisions 2). */
import { pointerTo } from '@worldwright/client/protocol'
import type { RecordFault } from './json-text.ts'

/** Levels of nesting in one value. Deeper ones break readers that recurse. */
export const MAX_DEPTH = 64

/** Where doubles are written with an exponent, so that no reader takes them for exact whole numbers. */
const WRITTEN_WITH_EXPONENT = 1e21

/** The most faults listed for one value; the rest would only repeat them. */
const MAX_FAULTS = 20

/** What a walk over a value found. */
export interface ValueSurvey {
  readonly faults: RecordFault[]
  /** Never less than the bytes of the value as JSON text; cheap, and mostly enough to know that it is small. */
  bytesAtMost: number
}

/**
 * Walks a value and adds to `survey` everything that no entity may hold: values JSON lacks, numbers beyond a
 * double or an exact integer, lone surrogates, NUL, and nesting beyond 64 levels.
 */
export function surveyValue(value: unknown, pointer: string, survey: ValueSurvey, depth = 1): void {
  switch (typeof value) {
    case 'string':
      surveyText(value, pointer, survey)
      return
    case 'number':
      surveyNumber(value, pointer, survey)
      return
    case 'boolean':
      survey.bytesAtMost += 6
      return
    case 'object':
      if (value === null) survey.bytesAtMost += 6
      else if (depth > MAX_DEPTH) {
        addFault(survey, pointer, 'too_many', `nested deeper than ${MAX_DEPTH} levels`)
      } else surveyMembers(value, pointer, survey, depth)
      return
    default:
      addFault(survey, pointer, 'wrong_type', `${typeof value} is not a JSON value`)
  }
}

/** Does for a single string what `surveyValue` does. */
export function surveyText(text: string, pointer: string, survey: ValueSurvey): void {
  // Escaped, one code unit takes six bytes at most.
  survey.bytesAtMost += 6 * text.length + 3
  if (!text.isWellFormed())
    addFault(survey, pointer, 'malformed', 'holds a lone surrogate, which is no character')
  if (text.includes('\0')) addFault(survey, pointer, 'not_allowed', 'holds the character NUL')
}

function surveyNumber(value: number, pointer: string, survey: ValueSurvey): void {
  survey.bytesAtMost += 26
  if (isPlainNumber(value)) return
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
    for (let index = 0; index < value.length; index++) {
      surveyMember(value[index], pointer, index, survey, depth)
    }
    return
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    addFault(survey, pointer, 'wrong_type', 'is neither a plain object nor an array')
    return
  }
  for (const key of Object.keys(value)) {
    survey.bytesAtMost += 6 * key.length + 4
    if (!key.isWellFormed() || key.includes('\0')) surveyText(key, pointerTo(pointer, key), survey)
    surveyMember((value as Record<string, unknown>)[key], pointer, key, survey, depth)
  }
}

function surveyMember(
  value: unknown,
  pointer: string,
  key: string | number,
  survey: ValueSurvey,
  depth: number,
) {
  // Strings and numbers without faults are nearly everything there is: no pointer is built for them.
  if (typeof value === 'string' && value.isWellFormed() && !value.includes('\0')) {
    survey.bytesAtMost += 6 * value.length + 3
  } else if (typeof value === 'number' && isPlainNumber(value)) survey.bytesAtMost += 26
  else surveyValue(value, pointerTo(pointer, key), survey, depth + 1)
}

function isPlainNumber(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

/** Adds a fault to those that a walk found, unless there are twenty already. */
export function addFault(
  survey: ValueSurvey,
  pointer: string,
  reason: RecordFault['reason'],
  message: string,
): void {
  if (survey.faults.length < MAX_FAULTS) survey.faults.push({ pointer, reason, message })
}
