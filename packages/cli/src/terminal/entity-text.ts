/** Formats entities as text. Supports worlds with non-standard member names. */
import type { Entity } from '@worldwright/client'
import { interpretationOf } from '@worldwright/client/foreign'
import { type Io, jsonText, NOT_RECOGNISED, pairLines, tableLines } from '@worldwright/serve/terminal'

/** Returns the JSON that the world sent for an entity, before it was interpreted. */
export function asReceived(entity: Entity): unknown {
  const reading = interpretationOf(entity)
  return reading ? reading.body : entity
}

/** Formats one entity, one member per line, attributes last. */
export function entityLines(entity: Entity, io: Io): string[] {
  const { attributes, ...members } = entity
  const own = Object.keys(members).map((name) => [name, memberText(entity, name)] as const)
  const data = Object.entries(attributes).map(([name, value]) => [name, valueText(value)] as const)
  if (data.length === 0) return pairLines(io.stdout, own)
  return [...pairLines(io.stdout, own), '', ...pairLines(io.stdout, data)]
}

/** Formats entities as a table. `before` names members whose columns come first. */
export function entityTable(entities: readonly Entity[], io: Io, before: readonly string[] = []): string[] {
  const members = [...before, 'id', 'title', 'summary']
  const rows = entities.map((entity) => members.map((name) => memberText(entity, name)))
  // Omit empty columns, except the first.
  const used = members.map((_, column) => column < 1 || rows.some((row) => row[column] !== ''))
  const kept = (row: readonly string[]) => row.filter((_, column) => used[column])
  return tableLines(io.stdout, kept(members.map((name) => name.toUpperCase())), rows.map(kept))
}

/** Formats a member. Every entity has a type and an id, so an empty one was not recognised. */
function memberText(entity: Entity, name: string): string {
  return valueText(Object(entity)[name]) || (/^(type|id)$/.test(name) ? NOT_RECOGNISED : '')
}

function valueText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : jsonText(value)
}
