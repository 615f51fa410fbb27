/** Finds references between sources by columns that contain ids of another source. */
import type { JsonObject } from '@worldwright/client/protocol'
import { DATABASE_KINDS } from '../databases/database.ts'
import type { NamedSurvey } from './identify.ts'
import { isIdName, ownerOfId, singular, slugOf } from './names.ts'
import type { Column } from './survey.ts'

/** A column that refers to entities of another source or of its own source. */
export interface ProposedReference {
  readonly column: Column
  /** Name of the attribute. */
  readonly name: string
  /** Type of the referenced entities. */
  readonly type: string
  /** Sentence that names the columns and the share of values that are ids of the target. */
  readonly said: string
}

/** Minimum share of values that are ids of the other source, for a column named after it and for any other column. */
const NAMED_SHARE = 0.5
const UNNAMED_SHARE = 0.95

/** Returns the references from one source to all sources, including itself. */
export function referencesOf(one: NamedSurvey, all: readonly NamedSurvey[]): ProposedReference[] {
  const taken = new Set(one.survey.columns.keys())
  const found: ProposedReference[] = []
  for (const column of one.survey.columns.values()) {
    const isGuessed =
      column !== one.identity.column && column.padded === 0 && column.proposal.form === undefined
    const target = declaredTarget(column, one, all) ?? (isGuessed ? best(column, one, all) : undefined)
    if (!target) continue
    const owner = slugOf(ownerOfId(column.name))
    const name = isIdName(column.name) && owner !== 'world' && !taken.has(owner) ? owner : column.name
    taken.add(name)
    found.push({ column, name, type: target.to.type, said: words(column, target) })
  }
  return found
}

interface Target {
  readonly to: NamedSurvey
  readonly id: Column
  readonly share: number
  readonly values: number
  /** Set if the table declares the reference. */
  readonly isDeclared?: true
}

function declaredTarget(column: Column, one: NamedSurvey, all: readonly NamedSurvey[]): Target | undefined {
  const declared = one.table.references.find((reference) => reference.column === column.name)
  const to = all.find(
    ({ table, identity }) =>
      table.name === declared?.table && identity.column?.name === declared.to && isSameFile(table, one.table),
  )
  return to?.identity.column && { ...resolved(column, to, to.identity.column), isDeclared: true }
}

function isSameFile(table: NamedSurvey['table'], other: NamedSurvey['table']): boolean {
  return DATABASE_KINDS.every((kind) => table.source[kind] === other.source[kind])
}

/** Reports whether all values of a column are lists of texts or integers. */
function isList({ lists, filled }: Column): boolean {
  return lists > 0 && lists === filled
}

function valuesOf(column: Column): ReadonlySet<string> {
  return new Set(isList(column) ? column.elements : column.sample)
}

function resolved(column: Column, to: NamedSurvey, id: Column): Target {
  const values = valuesOf(column)
  return {
    to,
    id,
    share: [...values].filter((value) => id.values.has(value)).length / values.size,
    values: values.size,
  }
}

function best(column: Column, from: NamedSurvey, all: readonly NamedSurvey[]): Target | undefined {
  const values = valuesOf(column)
  if (values.size === 0) return undefined
  const targets = all.flatMap((to): Target[] => {
    const { column: id } = to.identity
    // The ids of several types are no ids of one of them.
    if (id === undefined || id === column || to.survey.schemas.size > 1) return []
    const target = resolved(column, to, id)
    const least = isNamedFor(column, to, from) ? NAMED_SHARE : UNNAMED_SHARE
    return target.share >= least && (least === NAMED_SHARE || (to !== from && isTelling(values)))
      ? [target]
      : []
  })
  return targets.toSorted((a, b) => b.share - a.share)[0]
}

/** Names of columns that refer to another record of the same source. */
const WITHIN =
  /^(?:parent|manager|boss|supervisor|mother|father|mutter|vater|chef|reports to|predecessor|successor|vorgesetzte[rn]?)$/

function isNamedFor(column: Column, to: NamedSurvey, from: NamedSurvey): boolean {
  const owner = ownerOfId(column.name)
  const ofType = singular(slugOf(owner)) === to.name || slugOf(column.name) === to.name
  const likeId = to !== from && column.name === to.identity.column?.name && ownerOfId(column.name) !== ''
  return ofType || likeId || (to === from && WITHIN.test(owner))
}

/** Reports whether values are distinctive. Text and codes such as 007 are, but plain numbers match any sequential ids. */
function isTelling(values: ReadonlySet<string>): boolean {
  return values.size > 1 && [...values].every((value) => value.length > 1 && !/^[1-9]\d{0,5}$/.test(value))
}

function words({ name }: Column, { to, id, share, values, isDeclared }: Target): string {
  if (values === 0) return `${name} refers to ${to.type} by its ${id.name}, as its table says.`
  const percent = share === 1 ? 'all' : `${Math.floor(100 * share)} %`
  const declared = isDeclared ? ', as its table says' : ''
  return `${name} refers to ${to.type} by its ${id.name}${declared}: ${percent} of ${values} different values are there.`
}

/** Returns the schema of an attribute that refers to a type, with one reference or a list of them. */
export function referenceSchema({ column, type }: Pick<ProposedReference, 'column' | 'type'>): JsonObject {
  const one = { type: 'object', properties: { type: { const: type }, id: { type: 'string' } } }
  return isList(column) ? { type: 'array', items: one } : one
}

/** Returns the schema of entities, in which texts and lists of texts that are references name their type. */
export function withReferences(schema: JsonObject, references: readonly ProposedReference[]): JsonObject {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>
  const named = references.flatMap(({ column: { name }, type }) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const { type: kind, items = property } = property ?? {}
    const isText = (kind === 'string' || kind === 'array') && (items as JsonObject)['type'] === 'string'
    return isText ? [[name, { ...property, 'x-references': type }] as const] : []
  })
  return named.length === 0
    ? schema
    : { ...schema, properties: { ...properties, ...Object.fromEntries(named) } }
}

/** Reports whether a schema of entities names the type of a reference. */
export function isNamed({ column: { name } }: ProposedReference, { properties }: JsonObject): boolean {
  return (properties as Record<string, JsonObject> | undefined)?.[name]?.['x-references'] !== undefined
}
