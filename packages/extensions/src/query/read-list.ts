/** Reads the lists in the input of a query. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { InputFaults } from './input-faults.ts'

/** Reads at most `max` items of a list. Returns those that `read` accepts. `form` describes the list in a fault. */
export function readList<T>(
  value: JsonValue,
  pointer: string,
  { max, form, faults }: { readonly max: number; readonly form: string; readonly faults: InputFaults },
  read: (item: JsonValue, pointer: string) => T | undefined,
): T[] {
  if (!Array.isArray(value)) faults.add(pointer, 'wrong_type', form)
  else if (value.length > max) faults.add(pointer, 'too_many', `this list has ${max} entries at most`)
  else return value.map((item, index) => read(item, `${pointer}/${index}`)).filter((one) => one !== undefined)
  return []
}
