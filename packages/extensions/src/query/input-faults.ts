/** Faults in the input of one query, collected while it is read, so that one answer names them all. */
import { type FieldFault, pointerTo } from '@worldwright/client/protocol'
import { fieldsFault } from '@worldwright/core'

/** Collects faults. A reader adds each one and reads on with nothing in its place. */
export class InputFaults {
  readonly #faults: FieldFault[] = []
  /** Spelt like `property` in the input. */
  #properties: readonly (string | readonly string[])[] | undefined

  /** Adds a fault. `pointer` starts at `input`; `message` says what would be right, without a full stop. */
  add(pointer: string, reason: FieldFault['reason'], message: string): undefined {
    this.#faults.push({ in: 'body', pointer: `/input${pointer}`, reason, message })
    return undefined
  }

  /** Adds a fault for an unknown member, so that a misspelt one does not go unnoticed. */
  addMember(parent: string, name: string): void {
    this.add(pointerTo(parent, name.toWellFormed()), 'not_allowed', 'there is no such member')
  }

  /** Makes the answer list the properties that can be queried, because an unknown one was named. */
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
