/** Values of properties and their order, as `worldwright:query` defines them. */
import { isText } from '../error.ts'
import { type Entity, isObject, type JsonValue } from '../protocol.ts'
import { unsupported } from './failure.ts'

/** A value that can be compared with values of its kind. */
export interface Value {
  readonly kind: 'number' | 'boolean' | 'text' | 'instant' | 'reference'
  readonly key: number | string | boolean
}

const MEMBERS = ['type', 'id', 'title', 'createdAt', 'updatedAt']
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/

/**
 * Returns a function that reads the values of a property, only those of `kind` if it is given. A server knows the properties
 * of its types from schemas, and refuses others. A memory world knows only entities, so it refuses a property that none has.
 */
export function readerOf(property: JsonValue | undefined, entities: readonly Entity[], kind?: Value['kind']) {
  const names = isText(property) ? property.split('.') : Array.isArray(property) ? property.map(String) : []
  const isMember = names.length === 1 && MEMBERS.includes(`${names[0]}`)
  const path = isMember || names[0] === 'attributes' ? names : ['attributes', ...names]
  const read = (entity: Entity) =>
    valuesAt({ ...entity } as unknown as JsonValue, path)
      .map(valueFrom)
      .filter((value) => !kind || value.kind === kind)
  const isKnown = isMember || entities.length === 0 || entities.some((entity) => read(entity).length > 0)
  return isKnown ? read : unsupported(`a property that is no ${kind ?? 'value'} in any entity:`, property)
}

/** Returns the kind and the sort key of a value. Refuses objects other than references, such as locations. */
export function valueFrom(json: JsonValue): Value {
  if (typeof json === 'number') return { kind: 'number', key: json }
  if (typeof json === 'boolean') return { kind: 'boolean', key: json }
  if (isText(json))
    return INSTANT.test(json) ? { kind: 'instant', key: Date.parse(json) } : { kind: 'text', key: json }
  const { type, id, ...others } = isObject(json) ? json : {}
  return isText(type) && isText(id) && Object.keys(others).length === 0
    ? { kind: 'reference', key: JSON.stringify([type, id]) }
    : unsupported('the value', json)
}

/** Compares two values of one kind. */
export function compare({ key: left }: Value, { key: right }: Value): number {
  return isText(left) && isText(right) ? compareTexts(left, right) : Number(left) - Number(right)
}

/** Compares two entities by type and id. */
export function byName(left: Entity, right: Entity): number {
  return compareTexts(left.type, right.type) || compareTexts(left.id, right.id)
}

/** Compares two texts by code points, which gives the order of their UTF-8 bytes. */
function compareTexts(left: string, right: string): number {
  const [a = [], b = []] = [left, right].map((text) =>
    Array.from(text, (sign) => Number(sign.codePointAt(0))),
  )
  return a.map((code, at) => code - (b[at] ?? -1)).find((order) => order !== 0) ?? a.length - b.length
}

function valuesAt(value: JsonValue, path: readonly string[]): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path))
  const [name, ...others] = path
  if (name === undefined) return value === null ? [] : [value]
  return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name] ?? null, others) : []
}
