/** Reads conditions on locations: `s_intersects` with a bounding box, and distances to a point. */
import { isObject, type JsonValue } from '@worldwright/client/protocol'
import type { Condition, Point, PropertyPath } from '@worldwright/core/store'
import { shown } from './literals.ts'
import { shownPath } from './property-path.ts'
import type { ReadContext } from './read-context.ts'
import { readOperand } from './read-property.ts'

/** Reads `s_intersects` with a property and a bounding box, in either order. */
export function readIntersects(
  args: readonly JsonValue[],
  pointer: string,
  context: ReadContext,
): Condition | undefined {
  if (args.length !== 2)
    return context.faults.add(pointer, 'malformed', 's_intersects takes a property and a bounding box')
  const property = isObject(args[0]) && args[0]['property'] !== undefined ? 0 : 1
  const path = readPlace(args[property], `${pointer}/${property}`, context)
  const box = readBox(args[1 - property], `${pointer}/${1 - property}`, context)
  return path && box && { op: 'inBox', property: path, ...box }
}

function readPlace(
  value: JsonValue | undefined,
  pointer: string,
  context: ReadContext,
): PropertyPath | undefined {
  const isAttributes = isObject(value) && value['property'] === 'attributes'
  const askable = readOperand(value, pointer, context)
  if (askable === undefined || askable.kinds.has('place')) return askable?.path
  const message = isAttributes
    ? 'the attributes themselves are no place'
    : `${shownPath(askable.path)} holds no places`
  return context.faults.add(pointer, 'wrong_type', message)
}

type Box = Pick<Condition & { readonly op: 'inBox' }, 'west' | 'south' | 'east' | 'north'>

function readBox(value: JsonValue | undefined, pointer: string, { faults }: ReadContext): Box | undefined {
  if (isObject(value) && typeof value['type'] === 'string')
    return faults.add(pointer, 'not_allowed', `${shown(value['type'])} is not compared here: a bbox is`)
  const bbox = isObject(value) && Object.keys(value).join() === 'bbox' ? value['bbox'] : undefined
  if (!Array.isArray(bbox)) return faults.add(pointer, 'malformed', BOX)
  const [west, south, east, north] = bbox
  if (bbox.length === 6)
    return faults.add(`${pointer}/bbox`, 'not_allowed', `elevations are not compared: ${BOX}`)
  if (
    bbox.length !== 4 ||
    !isLongitude(west) ||
    !isLatitude(south) ||
    !isLongitude(east) ||
    !isLatitude(north)
  )
    return faults.add(`${pointer}/bbox`, 'malformed', BOX)
  if (south > north) return faults.add(`${pointer}/bbox`, 'malformed', 'south of a bbox is at most its north')
  return { west, south, east, north }
}

const BOX =
  'a bounding box is { bbox: [west, south, east, north] } in degrees, from −180 to 180 and −90 to 90'

/** Reads the call `distance(property, point)`. Returns undefined if a fault was added. */
export function readCenter(
  value: JsonValue | undefined,
  pointer: string,
  context: ReadContext,
): { readonly path: PropertyPath; readonly point: Point } | undefined {
  const args = isObject(value) && Array.isArray(value['args']) ? value['args'] : []
  if (args.length !== 2)
    return context.faults.add(`${pointer}/args`, 'malformed', 'distance takes a property and a point')
  const path = readPlace(args[0], `${pointer}/args/0`, context)
  const point = readPoint(args[1], `${pointer}/args/1`, context)
  return path && point && { path, point }
}

/** Reads a GeoJSON point, as longitude and latitude. Returns undefined if a fault was added. */
function readPoint(
  value: JsonValue | undefined,
  pointer: string,
  { faults }: Pick<ReadContext, 'faults'>,
): Point | undefined {
  const { type, coordinates, ...others } = isObject(value) ? value : {}
  const [longitude, latitude] = Array.isArray(coordinates) && coordinates.length === 2 ? coordinates : []
  if (type === 'Point' && Object.keys(others).length === 0 && isLongitude(longitude) && isLatitude(latitude))
    return { longitude, latitude }
  return faults.add(pointer, 'malformed', 'a point is { type: "Point", coordinates: [longitude, latitude] }')
}

function isLongitude(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= 180
}

function isLatitude(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= 90
}
