/** Faults in the input of a query, collected so that a response reports all of them. */
import { type FieldFault, pointerTo } from '@worldwright/client/protocol'
import { fieldsFault } from '@worldwright/core'

/** Collects faults. A reader adds a fault and continues without the invalid value. */
export class InputFaults {
  readonly #faults: FieldFault[] = []
  /** Queryable properties, in the input's notation. */
  #properties: readonly (string | readonly string[])[] | undefined

  /** Adds a fault. `pointer` is relative to `input`. `message` states the expected input, without a full stop. */
  add(pointer: string, reason: FieldFault['reason'], message: string): undefined {
    this.#faults.push({ in: 'body', pointer: `/input${pointer}`, reason, message })
    return undefined
  }

  /** Adds a fault for an unknown member, so that misspelt members are not ignored. */
  addMember(parent: string, name: string): void {
    this.add(pointerTo(parent, name.toWellFormed()), 'not_allowed', 'there is no such member')
  }

  /** Makes the response list the queryable properties. Called if an unknown property was named. */
  listProperties(properties: readonly (string | readonly string[])[]): void {
    this.#properties = properties
  }

  /** Throws if there are any faults. @throws WorldFault `invalid_input` with every fault */
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
