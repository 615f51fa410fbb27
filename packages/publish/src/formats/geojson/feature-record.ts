/** Converts a GeoJSON feature (RFC 7946) to a record with its geometry and a display location. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'

/** A location in the form required by `display.place`. */
interface Place extends JsonObject {
  readonly latitude: number
  readonly longitude: number
}

/** Returns the record in a JSON value. A GeoJSON feature is converted; any other value is returned unchanged. */
export function recordOfJson(value: JsonValue): JsonValue {
  return isObject(value) && value['type'] === 'Feature' && Object.hasOwn(value, 'geometry')
    ? featureRecord(value)
    : value
}

/**
 * Returns a feature's id, properties, geometry and other members, and its location in degrees as `place`. A member whose
 * name is taken by a property is prefixed, as in `feature.geometry`. If both are ids, the property becomes `properties.id`.
 */
function featureRecord({ type: _, properties, ...own }: JsonObject): JsonObject {
  const members = new Map<string, JsonValue>(isObject(properties) ? Object.entries(properties) : [])
  const hasOwnId = Object.hasOwn(own, 'id') && members.has('id') && members.get('id') !== own['id']
  for (const [name, value] of Object.entries(own)) {
    if (name === 'id' && hasOwnId) {
      members.set('properties.id', members.get('id') as JsonValue)
      members.set('id', value)
    } else members.set(members.has(name) && name !== 'id' ? `feature.${name}` : name, value)
  }
  const place = placeOf(own['geometry'])
  if (place) members.set(members.has('place') ? 'feature.place' : 'place', place)
  return Object.fromEntries(members)
}

/**
 * Returns the location at which to show a geometry: the point itself, the middle vertex of a line, or the centroid of the
 * largest polygon. Returns undefined if there are no coordinates in degrees.
 */
export function placeOf(geometry: unknown): Place | undefined {
  if (!isObject(geometry)) return undefined
  const { type, coordinates, geometries } = geometry
  if (type === 'GeometryCollection')
    return Array.isArray(geometries) ? geometries.map(placeOf).find((place) => place) : undefined
  if (!Array.isArray(coordinates)) return undefined
  switch (type) {
    case 'Point':
      return placeAt(coordinates)
    case 'MultiPoint':
      return placeAt(coordinates[0])
    case 'LineString':
      return placeAt(coordinates[Math.floor(coordinates.length / 2)])
    case 'MultiLineString':
      return placeOf({ type: 'LineString', coordinates: longest(coordinates) })
    case 'Polygon':
      return centroid(coordinates[0])?.place
    case 'MultiPolygon': {
      const areas = coordinates.map((rings) => centroid(Array.isArray(rings) ? rings[0] : undefined))
      return areas.reduce((best, one) => ((one?.area ?? -1) > (best?.area ?? -1) ? one : best), undefined)
        ?.place
    }
    default:
      return undefined
  }
}

function longest(lines: readonly JsonValue[]): JsonValue {
  const sizeOf = (line: JsonValue | undefined) => (Array.isArray(line) ? line.length : -1)
  return lines.reduce((best, line) => (sizeOf(line) > sizeOf(best) ? line : best), lines[0] ?? [])
}

/** Factor for rounding degrees to six decimals, about 10 cm. Computed locations are no more precise than that. */
const DECIMALS = 1e6

/** Returns the centroid of a ring and a number proportional to its area. */
function centroid(ring: unknown): { readonly place: Place | undefined; readonly area: number } | undefined {
  if (!Array.isArray(ring) || !ring.every(isPosition)) return undefined
  let [sum, x, y] = [0, 0, 0]
  // Coordinates are relative to the first corner to avoid loss of significance.
  const [x0, y0] = ring[0] ?? [0, 0]
  let [ax, ay] = [0, 0]
  for (const corner of ring.slice(1)) {
    const [bx, by] = [corner[0] - x0, corner[1] - y0]
    const cross = ax * by - bx * ay
    sum += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
    ;[ax, ay] = [bx, by]
  }
  if (sum === 0) return { place: placeAt(ring[0]), area: 0 }
  const round = (degrees: number) => Math.round(degrees * DECIMALS) / DECIMALS
  const place = placeAt([round(x0 + x / (3 * sum)), round(y0 + y / (3 * sum))])
  return { place, area: Math.abs(sum) }
}

function isPosition(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number'
}

function placeAt(position: unknown): Place | undefined {
  if (!isPosition(position)) return undefined
  const [longitude, latitude] = position
  // Projected coordinates, in metres, are not degrees.
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

/** Returns the name in a collection's `crs` (GeoJSON 2008), unless it denotes degrees of WGS 84. */
export function otherCoordinates(crs: unknown): string | undefined {
  const properties = isObject(crs) ? crs['properties'] : undefined
  const name = isObject(properties) ? properties['name'] : undefined
  if (typeof name !== 'string' || /(?:CRS:?:?84|EPSG:(?:[\d.]*:)?(?:4326|4258|4979))$/i.test(name))
    return undefined
  return name
}
