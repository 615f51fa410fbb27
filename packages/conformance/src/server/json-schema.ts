/**
 * Implements a subset of JSON Schema (2020-12): type, required, properties, items, additionalProperties, enum, const and
 * bounds. Other keywords are ignored, so a conforming value is never reported as faulty.
 */
import { isObject, objectIn } from '../json/json.ts'

/** Returns the violations of `schema` in `value`, or an empty array. Each one names a path that starts with `at`. */
export function faultsAgainst(schema: unknown, value: unknown, at: string): string[] {
  if (schema === false) return [`${at} is not allowed`]
  if (!isObject(schema)) return []
  const faults: string[] = []
  const { type, enum: values, minimum, maximum, maxLength, maxItems } = schema
  if (type !== undefined && ![type].flat().some((name) => TYPES[String(name)]?.(value) ?? true))
    return [`${at} is not of the type ${JSON.stringify(type)}`]
  if (Array.isArray(values) && !values.some((one) => JSON.stringify(one) === JSON.stringify(value)))
    faults.push(`${at} is none of the allowed values`)
  if ('const' in schema && JSON.stringify(schema['const']) !== JSON.stringify(value))
    faults.push(`${at} is not ${JSON.stringify(schema['const'])}`)
  if (typeof value === 'number') {
    if (typeof minimum === 'number' && value < minimum) faults.push(`${at} is below ${minimum}`)
    if (typeof maximum === 'number' && value > maximum) faults.push(`${at} is above ${maximum}`)
  }
  if (typeof value === 'string' && typeof maxLength === 'number' && [...value].length > maxLength)
    faults.push(`${at} is longer than ${maxLength}`)
  if (Array.isArray(value)) {
    if (typeof maxItems === 'number' && value.length > maxItems)
      faults.push(`${at} has more than ${maxItems}`)
    faults.push(...value.flatMap((item, index) => faultsAgainst(schema['items'], item, `${at}[${index}]`)))
  }
  return isObject(value) ? [...faults, ...memberFaults(schema, value, at)] : faults
}

function memberFaults(schema: Record<string, unknown>, value: Record<string, unknown>, at: string): string[] {
  const { required, properties, additionalProperties, patternProperties } = schema
  const known = objectIn(properties)
  const missing = (Array.isArray(required) ? required : []).filter((name) => !Object.hasOwn(value, name))
  const faults = missing.map((name) => `${at}.${name} is missing`)
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(known, name)) faults.push(...faultsAgainst(known[name], member, `${at}.${name}`))
    else if (patternProperties === undefined)
      faults.push(...faultsAgainst(additionalProperties, member, `${at}.${name}`))
  }
  return faults
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
}
