/** Checks the text of a control against its schema before the world does, and names what is wrong. */
import type { JsonValue } from '@worldwright/client'
import { isNumber } from '@worldwright/extensions/shown/schema'
import { attempt } from '../text/attempt.ts'
import type { FormField } from './form-field.ts'

/** Reason why the text of a control is refused. Each has its own words. */
export type Fault = 'required' | 'number' | 'integer' | 'range' | 'length' | 'pattern' | 'reference' | 'json'

/** Returns what is wrong with a text and the value that it spells, or undefined if nothing is. */
export function faultOf(text: string, value: JsonValue | undefined, field: FormField): Fault | undefined {
  const { control, isRequired, isInteger } = field
  if (text.trim() === '') return isRequired ? 'required' : undefined
  if (value === undefined)
    return control === 'number' ? 'number' : control === 'json' || control === 'choice' ? 'json' : 'reference'
  if (isNumber(value)) return numberFault(Number(value), isInteger && control === 'number', field)
  return typeof value === 'string' && control !== 'choice' ? textFault(value, field) : undefined
}

function numberFault(number: number, isInteger: boolean, field: FormField): Fault | undefined {
  const { minimum = -Infinity, maximum = Infinity, above = -Infinity, below = Infinity } = field
  if (isInteger && !Number.isInteger(number)) return 'integer'
  const isWithin = number >= minimum && number <= maximum && number >= above && number <= below
  return isWithin && number !== field.above && number !== field.below ? undefined : 'range'
}

function textFault(
  text: string,
  { minLength = 0, maxLength = Infinity, pattern }: FormField,
): Fault | undefined {
  // JSON Schema counts characters, not UTF-16 units.
  const length = [...text].length
  if (length < minLength || length > maxLength) return 'length'
  if (pattern === undefined || !isQuick(pattern) || length > MOST_TESTED) return undefined
  return attempt(() => new RegExp(pattern, 'u').test(text)) === false ? 'pattern' : undefined
}

/** Maximum length of a text that is tested with a pattern here. */
const MOST_TESTED = 200

/**
 * Reports whether testing a short text is quick: the pattern, which others wrote, repeats no group, refers to none, and has
 * at most two repetitions. The world judges any other pattern.
 */
function isQuick(pattern: string): boolean {
  const repetitions = pattern.match(/[*+{]/g) ?? []
  return pattern.length <= MOST_TESTED && repetitions.length <= 2 && !/\)[*+?{]|\\[1-9k]/.test(pattern)
}
