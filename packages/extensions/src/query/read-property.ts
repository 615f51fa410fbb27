import { isObject, type JsonValue } from '@worldwright/client/protocol'
import type { Askable } from './askable.ts'
import { shown } from './literals.ts'
import { pathFromProperty, shownPath } from './property-path.ts'
import type { ReadContext } from './read-context.ts'

/** Reads the operand `{ property }` of a condition. Returns undefined if a fault was added. */
export function readOperand(
  value: JsonValue | undefined,
  pointer: string,
  context: ReadContext,
): Askable | undefined {
  if (isObject(value) && Object.keys(value).join() === 'property')
    return readProperty(value['property'], `${pointer}/property`, context)
  if (isObject(value) && value['op'] !== undefined) {
    const message = `${shown(value['op'])} cannot be computed here: name a property, { property }`
    return context.faults.add(`${pointer}/op`, 'not_allowed', message)
  }
  return context.faults.add(pointer, 'malformed', 'a property is written { property }')
}

/** Reads the name of a queryable property. Returns undefined if a fault was added. */
export function readProperty(
  value: JsonValue | undefined,
  pointer: string,
  { properties, faults }: ReadContext,
): Askable | undefined {
  const path = pathFromProperty(value)
  if (path === undefined)
    return faults.add(
      pointer,
      'malformed',
      'a property is a name, names separated by dots, or a list of names',
    )
  const askable = properties.get(path) ?? properties.through(path)
  if (askable && 'kinds' in askable) return askable
  if (askable?.names || !askable) faults.listProperties(askable?.names ?? properties.names())
  if (askable) return faults.add(pointer, 'not_allowed', askable.message)
  const message = `${shownPath(path)} is not a queryable property here; details.properties lists those that are`
  return faults.add(pointer, 'not_allowed', message)
}
