/** Queryable properties of a world, from the extension `worldwright:query` of its discovery document. */
import type { JsonValue } from '@worldwright/client'
import {
  type Field,
  fieldOf,
  isLabelNumber,
  isObject,
  member,
  resolved,
  textMember,
} from '@worldwright/extensions/shown'
import { KINDS, type Known, keyOf, namesOf } from '@worldwright/extensions/views'
import type { TypeProfile, WorldProfile } from '../world/world-profile.ts'

/** Name of the query action and of the extension that lists the queryable properties. */
export const QUERY = 'worldwright:query'

/** Kind of a property's values, as named in queries. */
export type ValueKind = Known['kind']

/** A queryable property of a type. */
export interface Askable {
  /** Name of the property in addresses. It is the name used in queries, or a path of names as a JSON array. */
  readonly key: string
  /** Kind used in queries. If the world lists several kinds, it is the preferred one. */
  readonly kind: ValueKind
  /** True if the values are dates in text form, such as `1990-01-31`. */
  readonly isDate: boolean
  /** Label, unit and format of the property. */
  readonly field: Field
  /** Types of the entities to which the values lead. Paths of properties continue in them. */
  readonly refersTo?: readonly string[]
  /** True for a property that is not offered as a filter: one of a referenced entity, or the time of creation or change. */
  readonly isBeside?: true
}

/** Types, names of actions, and extensions of a world. */
type Listed = Pick<WorldProfile, 'types' | 'extensions'> & { readonly actions: readonly { name: string }[] }

/** Reports whether a world supports the query action. */
export function answersQuestions({ actions, extensions }: Listed): boolean {
  return (
    actions.some(({ name }) => name === QUERY) &&
    extensions.some(([name, settings]) => name === QUERY && isObject(settings))
  )
}

/** Returns the queryable properties of a type in the world's order, or an empty array if queries are not supported. */
export function askablesOf(profile: Listed, type: TypeProfile): Askable[] {
  if (!answersQuestions(profile)) return []
  const listed = member(settingOf(profile, 'types'), type.type)
  return Array.isArray(listed) ? listed.flatMap((entry) => askableOf(entry, type.schema) ?? []) : []
}

/** Reports whether a world groups the entities of a query. */
export function answersGroups(profile: Listed): boolean {
  return member(settingOf(profile, 'limits'), 'groups') !== undefined
}

function settingOf({ extensions }: Listed, name: string): unknown {
  return member(extensions.find(([extension]) => extension === QUERY)?.[1], name)
}

/**
 * Returns all properties that a query can use: those of the type, the times of creation and change, and those of the entities
 * to which the type refers.
 */
export function allAskablesOf(profile: Listed, type: TypeProfile): Askable[] {
  const own = askablesOf(profile, type)
  if (own.length === 0 || !answersGroups(profile)) return own
  const members = settingOf(profile, 'properties')
  const times = (Array.isArray(members) ? members : [])
    .flatMap((entry) => askableOf(entry, undefined) ?? [])
    .filter(({ kind }) => kind === 'instant')
  const beside = [...own.flatMap((outer) => referredOf(profile, outer)), ...times]
  const found = new Map(beside.map((one) => [one.key, { ...one, isBeside: true } as const]))
  for (const { key } of own) found.delete(key)
  return [...own, ...found.values()]
}

function referredOf(profile: Listed, outer: Askable): Askable[] {
  return profile.types
    .filter(({ type }) => outer.refersTo?.includes(type))
    .flatMap((type) => askablesOf(profile, type))
    .filter(({ kind }) => kind !== 'place')
    .map((inner) => {
      const names = [...namesOf(outer.key), ...namesOf(inner.key)]
      const key = names.some((name) => /[.[]/.test(name)) ? JSON.stringify(names) : names.join('.')
      return { ...inner, key, field: { ...inner.field, label: `${outer.field.label}: ${inner.field.label}` } }
    })
}

/** Returns the field of a property. Its label joins the labels along the path, outermost first. */
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

/** Reports whether a histogram of the values is meaningful. False for numbers that are labels, except years. */
export function isMeasured({ kind, field }: Askable): boolean {
  if (kind === 'instant') return true
  return kind === 'number' && (field.isYear || !isLabelNumber(field.name))
}

/** Reports whether it is useful to count each distinct value of a property. */
export function isCounted({ kind, isDate, field }: Askable): boolean {
  if (kind === 'boolean' || kind === 'reference') return true
  return kind === 'text' && !isDate && !/^(?:picture|uri|email|code)/.test(field.format ?? '')
}

function askableOf(entry: JsonValue, schema: unknown): Askable | undefined {
  const key = keyOf(member(entry, 'property'))
  const kinds = member(entry, 'kinds')
  const kind = KINDS.find((one) => Array.isArray(kinds) && kinds.includes(one))
  if (key === undefined || kind === undefined) return undefined
  const refersTo = member(entry, 'refersTo')
  return {
    key,
    kind,
    isDate: textMember(entry, 'format') === 'date',
    ...(Array.isArray(refersTo) && { refersTo: refersTo.map(String) }),
    field: fieldAt(key, schema),
  }
}
