/** Queryable properties of a world, from the extension `worldwright:query` of its discovery document. */
import type { JsonValue } from '@worldwright/client'
import { type Field, fieldOf } from '../data/fields.ts'
import { isObject, member, resolved, textMember } from '../data/schema.ts'
import { jsonFrom } from '../text/attempt.ts'
import { isLabelNumber } from '../text/units.ts'
import type { TypeProfile, WorldProfile } from '../world/world-profile.ts'

/** Name of the action, and of the extension that lists what it can be asked. */
export const QUERY = 'worldwright:query'

/** Kind of the values of a property. */
export type ValueKind = 'number' | 'boolean' | 'text' | 'instant' | 'reference' | 'place'

/** A property of a type that can be queried. */
export interface Askable {
  /** Name of the property in addresses: as a question names it, a list of names as JSON. */
  readonly key: string
  /** The kind that the page asks for, if the world names several. */
  readonly kind: ValueKind
  /** True if its texts are dates, such as 1990-01-31. */
  readonly isDate: boolean
  /** Label, unit, and number format. */
  readonly field: Field
}

/** The kinds in order of preference, if there are several. */
const KINDS: readonly ValueKind[] = ['boolean', 'number', 'instant', 'reference', 'text', 'place']

/** Reports whether a world answers precise questions. */
export function answersQuestions({ actions, extensions }: WorldProfile): boolean {
  return (
    actions.some(({ name }) => name === QUERY) &&
    extensions.some(([name, settings]) => name === QUERY && isObject(settings))
  )
}

/** Returns the queryable properties of a type, in the order of the world's list; none if it answers no questions. */
export function askablesOf(profile: WorldProfile, type: TypeProfile): Askable[] {
  if (!answersQuestions(profile)) return []
  const extension = profile.extensions.find(([name]) => name === QUERY)?.[1]
  const listed = member(member(extension, 'types'), type.type)
  return Array.isArray(listed) ? listed.flatMap((entry) => askableOf(entry, type.schema) ?? []) : []
}

/** Returns the property of a key as a question names it. */
export function propertyOf(key: string): JsonValue {
  if (!key.startsWith('[')) return key
  const names = jsonFrom(key)
  return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : key
}

/** Returns the names of the members that lead to the property of a key, outermost first. */
export function namesOf(key: string): string[] {
  const property = propertyOf(key)
  return Array.isArray(property) ? property.map(String) : key.split('.')
}

/** Returns the key of a property as a world names it; undefined if it is no name. */
export function keyOf(property: unknown): string | undefined {
  if (typeof property === 'string') return property
  return Array.isArray(property) ? JSON.stringify(property) : undefined
}

/** Returns the field of a property of a type, labelled with those of its members, outermost first. */
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

/** Reports whether a histogram of the values is meaningful: not if the numbers are labels, except for years. */
export function isMeasured({ kind, field }: Askable): boolean {
  if (kind === 'instant') return true
  return kind === 'number' && (!isLabelNumber(field.name) || /year$/i.test(field.name))
}

/** Reports whether the values are worth counting one by one. */
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
