/** The text form of `where`, such as `mass > 1 AND kind IN ('a', 'b')`. Faults name the character at which they are. */
import { type Cql2Expression, Cql2SyntaxError, parseCql2 } from '@worldwright/client/cql2'
import { type FieldFault, type JsonObject, type JsonValue, pointerSteps } from '@worldwright/client/protocol'
import type { Condition } from '@worldwright/core/store'
import { InputFaults } from './input-faults.ts'
import { QUERY_MAX_WHERE_LENGTH } from './limits.ts'
import type { PropertyName } from './property-path.ts'
import type { ReadContext } from './read-context.ts'

/** Reads a condition in the text form by parsing it for `readJson`. Returns undefined if a fault was added. */
export function readWhereText(
  text: string,
  pointer: string,
  context: ReadContext,
  readJson: (value: JsonValue, pointer: string, context: ReadContext) => Condition | undefined,
): Condition | undefined {
  const { faults } = context
  if (text.length > QUERY_MAX_WHERE_LENGTH)
    return faults.add(pointer, 'too_long', `a condition has ${QUERY_MAX_WHERE_LENGTH} characters at most`)
  const positions = new WeakMap<object, number>()
  try {
    const where = parseCql2(text, positions)
    const placed = new PlacedFaults(faults, pointer, (place) => positionAt(where, place, positions))
    return readJson(where, '', { ...context, faults: placed })
  } catch (error) {
    if (!(error instanceof Cql2SyntaxError)) throw error
    const message = error.message.replace(/^At [^:]*: |\.$/g, '')
    return faults.add(pointer, 'malformed', atCharacter(error.position, message))
  }
}

/** Faults of a parsed condition, all of which point to its text. */
class PlacedFaults extends InputFaults {
  readonly #faults: InputFaults
  readonly #pointer: string
  readonly #positionAt: (place: string) => number

  constructor(faults: InputFaults, pointer: string, positionAt: (place: string) => number) {
    super()
    this.#faults = faults
    this.#pointer = pointer
    this.#positionAt = positionAt
  }

  override add(place: string, reason: FieldFault['reason'], message: string): undefined {
    return this.#faults.add(this.#pointer, reason, atCharacter(this.#positionAt(place), message))
  }

  override listProperties(properties: PropertyName[]): void {
    this.#faults.listProperties(properties)
  }
}

function atCharacter(position: number, message: string): string {
  return `at character ${position + 1}: ${message}`
}

/** Returns the position of the innermost recorded node on the way to `place` in a condition. */
function positionAt(where: Cql2Expression, place: string, positions: WeakMap<object, number>): number {
  let node: JsonValue | undefined = where
  let position = positions.get(where) ?? 0
  for (const step of pointerSteps(place)) {
    node = (Object(node) as JsonObject)[step]
    position = positions.get(Object(node)) ?? position
  }
  return position
}
