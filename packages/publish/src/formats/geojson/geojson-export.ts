/** Export of one type as a GeoJSON FeatureCollection (RFC 7946), for maps. */
import { type Entity, isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'
import type { WriteOptions } from '../contract/format.ts'

/** Minimum characters of a piece. */
const PIECE_CHARACTERS = 64 * 1024

/**
 * Yields the text of the collection, a feature per line: `id`, the geometry, and as properties title, summary and
 * attributes. The geometry is the attribute `geometry`, if it is one, else a point at the entity's location, else null.
 */
export async function* geoJsonExport(
  snapshot: Snapshot,
  { type, schema, about = {} }: WriteOptions,
): AsyncGenerator<string> {
  const places = placesOf(schema)
  let piece = `${JSON.stringify({ ...about, type: 'FeatureCollection' }).slice(0, -1)},"features":[\n`
  let separator = ''
  for await (const { json } of snapshot.entities(type)) {
    piece += separator + JSON.stringify(featureOf(JSON.parse(json), places))
    separator = ',\n'
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n]}\n`
}

/** Reads a geometry from an entity's attributes; null if there is none. */
type Place = (attributes: JsonObject) => JsonObject | null

/** Finds the attributes with locations or geometries, by the schema; empty if the type has nothing to show on a map. */
export function placesOf(schema: JsonObject | undefined): Place[] {
  const properties = schema?.['properties']
  if (!isObject(properties)) return []
  const ranked = Object.entries(properties).map(([name, property]) => ({
    name,
    rank: rankOf(name, property),
  }))
  const within = ranked
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(
      ({ name }): Place =>
        (attributes) =>
          geometryOf(attributes[name]),
    )
  return hasDegrees(properties) ? [...within, pointOf] : within
}

/** Ranks an attribute: `geometry` first, then one marked as a place, other geometries, and what looks like a location. */
function rankOf(name: string, property: JsonValue): number {
  if (!isObject(property)) return 0
  const members = isObject(property['properties']) ? property['properties'] : {}
  if (Object.hasOwn(members, 'coordinates')) return name === 'geometry' ? 4 : 2
  if (property['x-display'] === 'place') return 3
  return hasDegrees(members) ? 1 : 0
}

function hasDegrees(members: JsonObject): boolean {
  const has = (names: readonly string[]) => names.some((one) => Object.hasOwn(members, one))
  return has(LATITUDE) && has(LONGITUDE)
}

function featureOf({ id, title, summary, attributes }: Entity, places: readonly Place[]): JsonObject {
  const found = places.map((at) => at(attributes)).find((geometry) => geometry !== null)
  return {
    type: 'Feature',
    id,
    geometry: found ?? null,
    properties: {
      ...(title !== undefined && { title }),
      ...(summary !== undefined && { summary }),
      attributes,
    },
  }
}

const LATITUDE = ['latitudeDeg', 'latitude', 'lat']
const LONGITUDE = ['longitudeDeg', 'longitude', 'lon', 'lng', 'long']
const GEOMETRIES = /^(?:Multi)?(?:Point|LineString|Polygon)$/

/** Returns a value that is a geometry, or the point that its degrees give; null if it is neither. */
function geometryOf(value: JsonValue | undefined): JsonObject | null {
  if (!isObject(value)) return null
  if (GEOMETRIES.test(String(value['type'])) && Array.isArray(value['coordinates'])) return value
  if (value['type'] === 'GeometryCollection' && Array.isArray(value['geometries'])) return value
  return pointOf(value)
}

/** Returns the point given by members in degrees; null without them. */
function pointOf(value: JsonObject): JsonObject | null {
  const latitude = degrees(value, LATITUDE, 90)
  const longitude = degrees(value, LONGITUDE, 360)
  if (latitude === undefined || longitude === undefined) return null
  // Planetary catalogues count longitudes east beyond 180.
  const east = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  return { type: 'Point', coordinates: [east, latitude] }
}

function degrees(value: JsonObject, names: readonly string[], most: number): number | undefined {
  const found = names.map((name) => value[name]).find((one) => typeof one === 'number')
  return typeof found === 'number' && Math.abs(found) <= most ? found : undefined
}
