/** What is wrong with the input of one question: collected while it is read, so that one answer names all of it. */
import { type FieldFault, pointerTo } from '@worldwright/client/protocol'
import { fieldsFault } from '@worldwright/core'

/** Collects faults. A reader notes each one and reads on with nothing in its place. */
export class InputFaults {
  readonly #faults: FieldFault[] = []
  /** Spelt as `property` takes them. */
  #properties: readonly (string | readonly string[])[] | undefined

  /** Notes a fault. `pointer` leads from `input` on; `message` says what would be right, without a full stop. */
  add(pointer: string, reason: FieldFault['reason'], message: string): undefined {
    this.#faults.push({ in: 'body', pointer: `/input${pointer}`, reason, message })
    return undefined
  }

  /** Notes a member that nothing here reads: what is misspelt must not go unnoticed. */
  addMember(parent: string, name: string): void {
    this.add(pointerTo(parent, name.toWellFormed()), 'not_allowed', 'there is no such member')
  }

  /** Lets the answer list what can be asked, because something else was. */
  listProperties(properties: readonly (string | readonly string[])[]): void {
    this.#properties = properties
  }

  /** @throws WorldFault `invalid_input` with every fault, if there is one */
  throwIfAny(action: string): void {
    const [first] = this.#faults
    if (first === undefined) return
    const message = `The input of ${action} cannot be read: ${first.pointer}: ${first.message}.`
    const properties = this.#properties?.map((property) =>
      typeof property === 'string' ? property : [...property],
    )
    throw fieldsFault('invalid_input', message, this.#faults, properties && { properties })
  }
}
