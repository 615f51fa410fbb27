/** Exports one type as a GeoJSON FeatureCollection (RFC 7946), for maps. */
import { type Entity, isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'
import type { WriteOptions } from '../contract/format.ts'

/** Minimum piece length, in characters. */
const PIECE_CHARACTERS = 64 * 1024

/**
 * Yields the text of the collection with one feature per line. A feature has the entity's id, a geometry, and the title,
 * summary and attributes as properties. The geometry is the attribute `geometry`, else the entity's location, else null.
 */
export async function* geoJsonExport(
  snapshot: Snapshot,
  { type, schema, about = {}, parse = JSON.parse }: WriteOptions,
): AsyncGenerator<string> {
  const places = placesOf(schema)
  let piece = `${JSON.stringify({ ...about, type: 'FeatureCollection' }).slice(0, -1)},"features":[\n`
  let separator = ''
  for await (const { json } of snapshot.entities(type)) {
    piece += separator + JSON.stringify(featureOf(parse(json) as Entity, places))
    separator = ',\n'
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n]}\n`
}

/** Function that returns a geometry from an entity's attributes, or null if there is none. */
type Place = (attributes: JsonObject) => JsonObject | null

/** Returns readers for the locations and geometries declared by a schema, best first, or an empty array. */
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

/** Ranks an attribute. `geometry` is best, followed by marked places, other geometries, and objects with degrees. */
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

// Not those of `extensions/shown`, as the list of formats loads none of the extensions.
const LATITUDE = ['latitudeDeg', 'latitude', 'lat']
const LONGITUDE = ['longitudeDeg', 'longitude', 'lon', 'lng', 'long']
const GEOMETRIES = /^(?:Multi)?(?:Point|LineString|Polygon)$/

/** Returns `value` if it is a geometry, else the point at its latitude and longitude, or null if it lacks them. */
function geometryOf(value: JsonValue | undefined): JsonObject | null {
  if (!isObject(value)) return null
  if (GEOMETRIES.test(String(value['type'])) && Array.isArray(value['coordinates'])) return value
  if (value['type'] === 'GeometryCollection' && Array.isArray(value['geometries'])) return value
  return pointOf(value)
}

/** Returns the point at an object's latitude and longitude, or null if either is missing or out of range. */
function pointOf(value: JsonObject): JsonObject | null {
  const latitude = degrees(value, LATITUDE, 90)
  const longitude = degrees(value, LONGITUDE, 360)
  if (latitude === undefined || longitude === undefined) return null
  // Planetary catalogs use east longitudes up to 360.
  const east = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  return { type: 'Point', coordinates: [east, latitude] }
}

function degrees(value: JsonObject, names: readonly string[], most: number): number | undefined {
  const found = names.map((name) => value[name]?.valueOf()).find((one) => typeof one === 'number')
  return typeof found === 'number' && Math.abs(found) <= most ? found : undefined
}
