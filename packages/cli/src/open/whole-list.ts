/** Recognises walks that ended before the list did. */
import { WorldError } from '@worldwright/client'

/** @throws WorldError `invalid_response` if a walk read fewer entities of a type than a page told that there are */
export function requireWhole(type: string, read: number, total: number): void {
  if (read >= total) return
  throw new WorldError(
    'invalid_response',
    `The list of ${type} ended after ${read} of ${total} entities. Try again, as it may have changed. If that is no total, name it: --names total=PATH`,
  )
}
