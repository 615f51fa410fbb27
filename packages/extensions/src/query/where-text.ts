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
    // All faults of the parsed condition point to its text.
    const placed = Object.assign(new InputFaults(), {
      add: (place: string, reason: FieldFault['reason'], message: string) =>
        faults.add(pointer, reason, atCharacter(positionAt(where, place, positions), message)),
      listProperties: (properties: PropertyName[]) => faults.listProperties(properties),
    })
    return readJson(where, '', { ...context, faults: placed })
  } catch (error) {
    if (!(error instanceof Cql2SyntaxError)) throw error
    const message = error.message.replace(/^At [^:]*: |\.$/g, '')
    return faults.add(pointer, 'malformed', atCharacter(error.position, message))
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
