import { setImmediate as turn } from 'node:timers/promises'
import { holdsValue, parseExact } from '@worldwright/client/exact'
import type { Entity } from '@worldwright/client/protocol'

/** Length of JSON that is parsed per event loop iteration, in UTF-16 code units. An entity is always parsed whole. */
const SLICE = 65_536

/** Parses stored entities with exact numbers. Other requests are answered between slices of many large ones. */
export async function entitiesIn(stored: readonly { readonly json: string }[]): Promise<Entity[]> {
  const entities: Entity[] = []
  let parsed = 0
  for (const { json } of stored) {
    entities.push(parseExact(json, holdsValue) as Entity)
    parsed += json.length
    if (parsed < SLICE) continue
    await turn()
    parsed = 0
  }
  return entities
}
