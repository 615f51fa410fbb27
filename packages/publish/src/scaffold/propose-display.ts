/** Proposes which attributes of a type are pictures, places and links, and order its superlatives. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { TypeDefinition } from '@worldwright/entities/types'
import { member } from '@worldwright/extensions/shown'
import { numberFromText } from '../mapping/number-text.ts'
import { coordinateOf, isPictureName, wordsOf } from './names.ts'
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
  const place = columns.find(({ name }) => isPlace(member(member(schema, 'properties'), name)))?.name
  const display = {
    ...(picture !== undefined && { picture }),
    ...(place !== undefined && { place }),
    ...(link !== undefined && { link }),
    ...(Object.keys(rank).length > 0 && { rank }),
  }
  return Object.keys(display).length > 0 ? { display } : {}
}

/** Returns the columns of a location in degrees with their coordinates, or undefined unless there is one of each. */
export function locationOf(columns: readonly Column[], schema: JsonObject): Map<string, string> | undefined {
  const [one, other, more] = columns.flatMap((column) => {
    const coordinate = coordinateOf(column.name)
    return coordinate && isInDegrees(column, coordinate, schema) ? [[column.name, coordinate] as const] : []
  })
  return one && other && !more && one[1] !== other[1] ? new Map([one, other]) : undefined
}

/** Reports whether values are numbers within the range of a coordinate. Most widths have fewer than four decimals. */
function isInDegrees({ name, sample, proposal }: Column, coordinate: string, schema: JsonObject): boolean {
  const type = member(member(member(schema, 'properties'), name), 'type')
  const most = coordinate === 'latitude' ? 90 : 360
  const isOutside = (cell: string) => Math.abs(numberFromText(cell, proposal.form ?? {}) ?? 0) > most
  const precise = sample.filter((cell) => /[.,]\d{4}/.test(cell)).length
  const isSure =
    !/^(?!.*\bgeo).*\b(?:breite|lange)\b/.test(wordsOf(name).join()) || precise > sample.length / 2
  return (type === 'number' || type === 'integer') && isSure && !sample.some(isOutside)
}

function isPlace(property: JsonValue | undefined): boolean {
  const properties = member(property, 'properties')
  return member(properties, 'latitude') !== undefined && member(properties, 'longitude') !== undefined
}
