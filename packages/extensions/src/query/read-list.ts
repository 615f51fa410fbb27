import type { JsonValue } from '@worldwright/client/protocol'
import type { InputFaults } from './input-faults.ts'

/** Maximum of a length or a count, and the words of a fault. */
interface Bounded {
  readonly max: number
  readonly form: string
  readonly faults: InputFaults
}

/** Reads at most `max` items of a list. Returns those that `read` accepts. `form` describes the list in a fault. */
export function readList<T>(
  value: JsonValue,
  pointer: string,
  { max, form, faults }: Bounded,
  read: (item: JsonValue, pointer: string) => T | undefined,
): T[] {
  if (!Array.isArray(value)) faults.add(pointer, 'wrong_type', form)
  else if (value.length > max) faults.add(pointer, 'too_many', `this list has ${max} entries at most`)
  else return value.map((item, index) => read(item, `${pointer}/${index}`)).filter((one) => one !== undefined)
  return []
}

/** Reads a whole number from 1 to `max`. Returns 1 if a fault was added. */
export function readCount(value: JsonValue, pointer: string, { max, form, faults }: Bounded): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  faults.add(pointer, 'not_allowed', form)
  return 1
}
