/** Groups attributes by meaning. */
import type { JsonValue } from '@worldwright/client'
import {
  BODIES,
  type Field,
  isLabelNumber,
  isNumber,
  kindOf,
  LATITUDE,
  LONGITUDE,
  NAMES,
  namedField,
  timeOf,
} from '@worldwright/extensions/shown'

/** Meanings of attribute groups, in display order. */
export const MEANINGS = ['what', 'measures', 'times', 'relations', 'place', 'names', 'ids'] as const

/** Meaning of an attribute group. */
export type Meaning = (typeof MEANINGS)[number]

type Known = readonly [Field, JsonValue]

/** Minimum number of attributes of an entity that has groups other than `LAST`. Fewer are readable at a glance. */
const FEWEST = 6

/** Groups that are always separate and last, even with a single attribute, since users rarely look at them first. */
const LAST: readonly Meaning[] = ['names', 'ids']

/**
 * Groups attributes by meaning, with alternative names and ids last. Any other group is merged into the first group if it
 * has a single attribute or if there are only a few attributes in all.
 */
export function groupsOf(fields: readonly Known[]) {
  const found = Map.groupBy(fields, meaningOf)
  const isAlone = (meaning: Meaning) => found.get(meaning)?.length === 1
  const isFew = fields.length < FEWEST
  const meaningIn = (known: Known): Meaning => {
    const meaning = meaningOf(known)
    return !LAST.includes(meaning) && (isFew || isAlone(meaning)) ? 'what' : meaning
  }
  const groups = Map.groupBy(fields, meaningIn)
  return MEANINGS.flatMap((meaning) => {
    const own = groups.get(meaning)
    return own === undefined ? [] : [{ meaning, fields: sameBeside(own) }]
  })
}

/** Puts attributes whose names differ only in the unit next to each other. */
function sameBeside(fields: readonly Known[]): Known[] {
  const labelled = Map.groupBy(fields, ([{ name }, value]) => namedField(name, isNumber(value)).label)
  return [...labelled.values()].flat()
}

function meaningOf([field, value]: Known): Meaning {
  const { name } = field
  const [first] = Array.isArray(value) ? value : [value]
  const { kind } = kindOf(first, field.idsOf)
  if (kind === 'place' || [...LATITUDE, ...LONGITUDE, ...BODIES].includes(name)) return 'place'
  if (kind === 'reference') return 'relations'
  if (field.isYear || (typeof first === 'string' && timeOf(first) !== undefined)) return 'times'
  if (isLabelNumber(name)) return 'ids'
  if (NAMES.test(name)) return 'names'
  return kind === 'number' ? 'measures' : 'what'
}
