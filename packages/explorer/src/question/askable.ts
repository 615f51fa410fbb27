/** What can be asked precisely of a world: the extension `worldwright:query` in its discovery document. */
import type { JsonValue } from '@worldwright/client'
import { type Field, fieldOf } from '../data/fields.ts'
import { isObject, member, resolved, textMember } from '../data/schema.ts'
import { jsonFrom } from '../text/attempt.ts'
import { isLabelNumber } from '../text/units.ts'
import type { TypeProfile, WorldProfile } from '../world/world-profile.ts'

/** The action, and the extension that says what it can be asked. */
export const QUERY = 'worldwright:query'

/** What the values of a property can be. */
export type ValueKind = 'number' | 'boolean' | 'text' | 'instant' | 'reference' | 'place'

/** A property of a type that can be asked. */
export interface Askable {
  /** Names the property in addresses: as a question names it, a list of names as JSON. */
  readonly key: string
  /** Of several that the world names, the one that the page asks for. */
  readonly kind: ValueKind
  /** Its texts are dates, such as 1990-01-31. */
  readonly isDate: boolean
  /** Words, a unit, and how its numbers are written. */
  readonly field: Field
}

/** The kinds in the order in which one of several is taken. */
const KINDS: readonly ValueKind[] = ['boolean', 'number', 'instant', 'reference', 'text', 'place']

/** Whether a world answers precise questions. */
export function answersQuestions({ actions, extensions }: WorldProfile): boolean {
  return (
    actions.some(({ name }) => name === QUERY) &&
    extensions.some(([name, settings]) => name === QUERY && isObject(settings))
  )
}

/** What can be asked of a type, in the order of its schema; nothing where the world answers no questions. */
export function askablesOf(profile: WorldProfile, type: TypeProfile): Askable[] {
  if (!answersQuestions(profile)) return []
  const extension = profile.extensions.find(([name]) => name === QUERY)?.[1]
  const listed = member(member(extension, 'types'), type.type)
  return Array.isArray(listed) ? listed.flatMap((entry) => askableOf(entry, type.schema) ?? []) : []
}

/** How a question names the property of a key. */
export function propertyOf(key: string): JsonValue {
  if (!key.startsWith('[')) return key
  const names = jsonFrom(key)
  return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : key
}

/** The names of the members that lead to the property of a key, one within the other. */
export function namesOf(key: string): string[] {
  const property = propertyOf(key)
  return Array.isArray(property) ? property.map(String) : key.split('.')
}

/** The key of a property as a world names it; undefined if it is no name. */
export function keyOf(property: unknown): string | undefined {
  if (typeof property === 'string') return property
  return Array.isArray(property) ? JSON.stringify(property) : undefined
}

/** The words for a property of a type: those of its members, one within the other. */
export function fieldAt(key: string, schema: unknown): Field {
  let within: unknown = resolved(schema, schema)
  let field: Field | undefined
  for (const name of namesOf(key)) {
    const own = fieldOf(name, member(member(within, 'properties'), name), schema)
    const items = resolved(own.schema['items'], schema)
    within = own.schema['items'] === undefined ? own.schema : items
    field = { ...own, label: field === undefined ? own.label : `${field.label}: ${own.label}` }
  }
  return field ?? fieldOf(key, undefined, schema)
}

/** Whether a histogram of the values says something: not of numbers that only name. Years do, though they name too. */
export function isMeasured({ kind, field }: Askable): boolean {
  if (kind === 'instant') return true
  return kind === 'number' && (!isLabelNumber(field.name) || /year$/i.test(field.name))
}

/** Whether the values are worth counting one by one. */
export function isCounted({ kind, isDate, field }: Askable): boolean {
  if (kind === 'boolean' || kind === 'reference') return true
  return kind === 'text' && !isDate && !/^(?:picture|uri|email|code)/.test(field.format ?? '')
}

function askableOf(entry: JsonValue, schema: unknown): Askable | undefined {
  const key = keyOf(member(entry, 'property'))
  const kinds = member(entry, 'kinds')
  const kind = KINDS.find((one) => Array.isArray(kinds) && kinds.includes(one))
  if (key === undefined || kind === undefined) return undefined
  return { key, kind, isDate: textMember(entry, 'format') === 'date', field: fieldAt(key, schema) }
}
