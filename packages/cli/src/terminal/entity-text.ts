/** Entities of any world as text: nothing in them can be relied on but what Level 1 states. */
import type { Entity } from '@worldwright/client'
import { isObject } from '@worldwright/client/protocol'
import type { Io } from './io.ts'
import { pairLines, tableLines } from './output.ts'
import { jsonText } from './visible.ts'

/** One entity, a member a line, attributes after the rest. */
export function entityLines(entity: Entity, io: Io): string[] {
  const { attributes, ...members } = entity
  const own = Object.entries(members).map(([name, value]) => [name, valueText(value)] as const)
  const data = isObject(attributes)
    ? Object.entries(attributes).map(([name, value]) => [name, valueText(value)] as const)
    : []
  if (data.length === 0) return pairLines(io.stdout, own)
  return [...pairLines(io.stdout, own), '', ...pairLines(io.stdout, data)]
}

/** Entities as a table; `withType` where they are of several types. */
export function entityTable(entities: readonly Entity[], io: Io, withType: boolean): string[] {
  const members = withType ? ['type', 'id', 'title', 'summary'] : ['id', 'title', 'summary']
  const rows = entities.map((entity) => members.map((name) => valueText(memberOf(entity, name))))
  // A column that nothing is in takes no room.
  const used = members.map((_, column) => column < 1 || rows.some((row) => row[column] !== ''))
  const kept = (row: readonly string[]) => row.filter((_, column) => used[column])
  return tableLines(io.stdout, kept(members.map((name) => name.toUpperCase())), rows.map(kept))
}

function memberOf(entity: Entity, name: string): unknown {
  return isObject(entity) ? entity[name] : undefined
}

function valueText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : jsonText(value)
}
