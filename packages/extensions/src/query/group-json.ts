import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { Group, GroupKey, GroupRequest, GroupResult, Measure } from '@worldwright/core/store'
import { valueJson } from './facet-json.ts'
import { textFromInstant } from './instants.ts'
import { propertyFromPath } from './property-path.ts'

/** Returns the members of the output that hold the groups, with keys and measures as in entities. */
export function groupsJson(
  { keys, measures }: GroupRequest,
  { groups, total, ignored }: GroupResult,
): JsonObject {
  return {
    group: keys.map(keyJson),
    measures: measures.map((measure, index) => measureJson(measure, ignored[index] ?? 0)),
    groups: groups.map((group) => groupJson(group, keys, measures)),
    groupsTotal: total,
    ...(groups.length < total && { moreGroups: true }),
  }
}

function keyJson(key: GroupKey): JsonObject {
  const property = propertyFromPath(key.property)
  if (key.by === 'width') return { property, kind: 'number', width: key.width, origin: key.origin }
  if (key.by === 'cells') return { property, kind: 'place', cells: key.degrees }
  return { property, kind: key.kind, ...(key.by === 'unit' && { unit: key.unit }) }
}

function measureJson({ op, property, kind }: Measure, ignored: number): JsonObject {
  return { op, property: propertyFromPath(property), kind, ...(ignored > 0 && { ignored }) }
}

function groupJson(
  { key, count, measures: values }: Group,
  keys: readonly GroupKey[],
  measures: readonly Measure[],
) {
  return {
    key: key.map((value, index) => keyValue(value, keys[index])),
    count,
    measures: values.map((value, index) => {
      const measure = measures[index]
      const isTime = measure?.kind === 'instant' && (measure.op === 'min' || measure.op === 'max')
      return valueJson(value, isTime)
    }),
  }
}

function keyValue(value: Group['key'][number], key: GroupKey | undefined): JsonValue {
  if (typeof value === 'number' && key?.by === 'unit') {
    const [day = '', time = ''] = textFromInstant(value).split('T')
    return key.unit === 'hour' ? `${day}T${time.slice(0, 8)}Z` : day
  }
  return valueJson(value, key?.by === 'value' && key.kind === 'instant')
}
