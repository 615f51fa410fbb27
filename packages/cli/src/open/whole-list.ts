/** Recognises walks that ended before the list did. */
import { WorldError } from '@worldwright/client'

/** Throws `invalid_response` if a walk read fewer entities of a type than the highest total of its pages. */
export function requireWhole(type: string, read: number, total: number): void {
  if (read >= total) return
  throw new WorldError(
    'invalid_response',
    `The list of ${type} ended after ${read} of ${total} entities. Try again, as it may have changed. If ${total} is not its total, name the total: --names total=PATH`,
  )
}
