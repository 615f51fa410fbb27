/** Formats entities as files: NDJSON as received, CSV with a column per attribute. */
import type { Entity, JsonValue } from '@worldwright/client'
import { jsonLineOf } from '@worldwright/client/exact'
import { interpretationOf } from '@worldwright/client/foreign'
import { isObject, member } from '@worldwright/extensions/shown'

/** Formats each entity as one line of JSON, as received. */
export function ndjsonFrom(entities: readonly Entity[]): string {
  return entities.map((entity) => `${jsonLineOf(receivedOf(entity))}\n`).join('')
}

/** Returns an entity as its world sent it, with the world's own member names. */
export function receivedOf(entity: Entity): unknown {
  const reading = interpretationOf(entity)
  return reading ? reading.body : entity
}

const OWN = ['type', 'id', 'title', 'summary']
const DATES = ['createdAt', 'updatedAt', 'revision']

/**
 * Formats CSV (RFC 4180) with a header line. There is a column for each member of an entity and for each attribute that
 * occurs. Lists and objects become JSON. Text that a spreadsheet would run as a formula is prefixed with `'`.
 */
export function csvFrom(entities: readonly Entity[]): string {
  const columns = [
    ...new Set(entities.flatMap(({ attributes }) => Object.keys(isObject(attributes) ? attributes : {}))),
  ]
  const lines = entities.map((entity) => [
    ...OWN.map((name) => cell(member(entity, name))),
    ...columns.map((name) => cell(member(entity.attributes, name))),
    ...DATES.map((name) => cell(member(entity, name))),
  ])
  return [[...OWN, ...columns, ...DATES].map(cell), ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

function cell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return quoted(plainCell(value))
  return quoted(Array.isArray(value) || isObject(value) ? jsonLineOf(value) : String(value))
}

/** Prefixes text that a spreadsheet would run as a formula with `'`. */
export function plainCell(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
