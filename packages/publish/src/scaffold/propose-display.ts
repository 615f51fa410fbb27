/** Proposes which attributes of a type are pictures, places and links, and order its superlatives. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { TypeDefinition } from '@worldwright/entities/types'
import { isPictureName } from './names.ts'
import { proposedRanks } from './propose-ranks.ts'
import type { Column } from './survey.ts'

/** Reports whether a sample of texts consists of web addresses. */
export function isAddress(sample: readonly string[]): boolean {
  return sample.length > 0 && sample.slice(0, 5).every((text) => /^https?:\/\//.test(text))
}

/** Returns the member `display` of a type, or nothing if no attribute is special. */
export function displayOf(columns: readonly Column[], schema: JsonObject): Pick<TypeDefinition, 'display'> {
  const addresses = columns.filter(({ sample }) => isAddress(sample))
  const picture = addresses.find(({ name }) => isPictureName(name))?.name
  const link = addresses.find(
    ({ name }) => !isPictureName(name) && /url|link|website|homepage|web/i.test(name),
  )?.name
  const rank = proposedRanks(columns)
  const place = columns.find(({ name }) =>
    isPlace((schema['properties'] as JsonObject | undefined)?.[name]),
  )?.name
  const display = {
    ...(picture !== undefined && { picture }),
    ...(place !== undefined && { place }),
    ...(link !== undefined && { link }),
    ...(Object.keys(rank).length > 0 && { rank }),
  }
  return Object.keys(display).length > 0 ? { display } : {}
}

function isPlace(property: JsonValue | undefined): boolean {
  const { properties = {} } = (property ?? {}) as { properties?: JsonObject }
  return 'latitude' in properties && 'longitude' in properties
}
