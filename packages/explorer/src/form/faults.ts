/** Checks the text of a control against its schema, and names what is wrong. The world checks the rest, such as patterns. */
import type { JsonValue } from '@worldwright/client'
import { isNumber } from '@worldwright/extensions/shown'
import type { FormField } from './form-field.ts'

/** Reason why the text of a control is refused. Each has its own words. Only the world finds a mismatch with a pattern. */
export type Fault = 'required' | 'number' | 'integer' | 'range' | 'length' | 'reference' | 'json' | 'pattern'

/** Returns what is wrong with a text and the value that it spells, or undefined if nothing is. */
export function faultOf(text: string, value: JsonValue | undefined, field: FormField): Fault | undefined {
  const { control, isRequired, isInteger } = field
  if (text.trim() === '') return isRequired ? 'required' : undefined
  if (value === undefined)
    return control === 'number' ? 'number' : control === 'json' || control === 'choice' ? 'json' : 'reference'
  if (isNumber(value)) return numberFault(Number(value), isInteger && control === 'number', field)
  if (typeof value !== 'string' || control === 'choice') return undefined
  const { minLength = 0, maxLength = Infinity } = field
  // JSON Schema counts characters, not UTF-16 units.
  const length = [...value].length
  return length < minLength || length > maxLength ? 'length' : undefined
}

function numberFault(number: number, isInteger: boolean, field: FormField): Fault | undefined {
  // Without a bound, each comparison is false.
  const { minimum = NaN, maximum = NaN, above = NaN, below = NaN } = field
  if (isInteger && !Number.isInteger(number)) return 'integer'
  return number < minimum || number > maximum || number <= above || number >= below ? 'range' : undefined
}
