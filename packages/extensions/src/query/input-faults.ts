import { type FieldFault, pointerTo } from '@worldwright/client/protocol'
import { fieldsFault } from '@worldwright/core'
import type { PropertyName } from './property-path.ts'

/** Collects faults, so that all are reported. A reader adds a fault and continues without the invalid value. */
export class InputFaults {
  /** Query parameter that contains the input. Default: the body. */
  readonly #parameter: string | undefined
  readonly #faults: FieldFault[] = []
  /** Queryable properties, in the input's notation. */
  #properties: PropertyName[] | undefined

  constructor(parameter?: string) {
    this.#parameter = parameter
  }

  /** Adds a fault. `pointer` is relative to `input`. `message` states the expected input, without a full stop. */
  add(pointer: string, reason: FieldFault['reason'], message: string): undefined {
    const place =
      this.#parameter === undefined
        ? ({ in: 'body', pointer: `/input${pointer}` } as const)
        : ({ in: 'query', name: this.#parameter, pointer } as const)
    this.#faults.push({ ...place, reason, message })
    return undefined
  }

  /** Adds a fault for an unknown member, so that misspelt members are not ignored. */
  addMember(parent: string, name: string): void {
    this.add(pointerTo(parent, name.toWellFormed()), 'not_allowed', 'there is no such member')
  }

  /** Makes the response list the queryable properties. Called if an unknown property was named. */
  listProperties(properties: PropertyName[]): void {
    this.#properties = properties
  }

  /** Throws if there are any faults. @throws WorldFault `invalid_input` or `invalid_parameter` with every fault */
  throwIfAny(action?: string): void {
    const [first] = this.#faults
    if (first === undefined) return
    const subject = this.#parameter ?? `The input of ${action}`
    const place = first.pointer && `${first.pointer}: `
    const message = `${subject} cannot be read: ${place}${first.message}.`
    const code = this.#parameter === undefined ? 'invalid_input' : 'invalid_parameter'
    const properties = this.#properties
    throw fieldsFault(code, message, this.#faults, properties && { properties })
  }
}
