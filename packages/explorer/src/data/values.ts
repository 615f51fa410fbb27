/** Classifies values for display. */
import type { EntityRef, JsonObject, JsonValue } from '@worldwright/client'
import { referenceIn as referenceOf } from '@worldwright/client/foreign'
import { isObject, member, textMember } from './schema.ts'

/** The kinds of values that the page distinguishes. */
export type Kind =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'reference'; readonly value: EntityRef }
  | { readonly kind: 'place'; readonly value: Place }
  | { readonly kind: 'list'; readonly value: readonly JsonValue[] }
  | { readonly kind: 'object'; readonly value: JsonObject }

/** A point on a body, in degrees: north and east are positive. */
export interface Place {
  readonly latitude: number
  readonly longitude: number
}

/** Returns the kind of a value. Only an object of `type` and `id` is a reference: a plain text is never taken for one. */
export function kindOf(value: JsonValue | undefined): Kind {
  if (value === undefined || value === null) return { kind: 'nothing' }
  if (typeof value === 'boolean') return { kind: 'truth', value }
  if (typeof value === 'number') return { kind: 'number', value }
  if (typeof value === 'string') return { kind: 'text', value }
  if (Array.isArray(value)) return { kind: 'list', value }
  const reference = referenceIn(value)
  if (reference !== undefined) return { kind: 'reference', value: reference }
  const place = placeIn(value)
  return place === undefined ? { kind: 'object', value } : { kind: 'place', value: place }
}

/** Maximum levels of lists and objects that are searched for a value. */
const MOST_LEVELS = 8

/** Reports whether a value is empty: null, blank text, or lists and objects of nothing else. Data nested too deep is not. */
export function isNothing(value: JsonValue | undefined, level = 0): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  if (typeof value !== 'object' || level > MOST_LEVELS) return false
  return Object.values(value).every((inner) => isNothing(inner, level + 1))
}

/** Returns the reference that an object is, whatever its member names, with the world it leads to if that is another one. */
export function referenceIn(value: unknown): EntityRef | undefined {
  const reference = referenceOf(value)
  const world = textMember(value, 'world')
  return reference && { ...reference, ...(world !== undefined && { world }) }
}

/** Names of members that are a latitude in degrees, in the order tried. */
export const LATITUDE = ['latitudeDeg', 'latitude', 'lat']
/** Names of members that are a longitude in degrees, in the order tried. */
export const LONGITUDE = ['longitudeDeg', 'longitude', 'lon', 'lng', 'long']

/** Returns the location of an object: from members for latitude and longitude, or as a GeoJSON point. */
export function placeIn(value: unknown): Place | undefined {
  const numberAt = (names: readonly string[]) =>
    names.map((name) => member(value, name)).find((found) => typeof found === 'number') as number | undefined
  const coordinates = member(value, 'type') === 'Point' ? member(value, 'coordinates') : undefined
  const [east, north] = Array.isArray(coordinates) ? coordinates : []
  const latitude = typeof north === 'number' ? north : numberAt(LATITUDE)
  const longitude = typeof east === 'number' ? east : numberAt(LONGITUDE)
  if (latitude === undefined || longitude === undefined) return undefined
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 360) return undefined
  // Planetary catalogues count east longitude beyond 180.
  return {
    latitude,
    longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude,
  }
}

/** Returns the location of an entity: from its own attributes, else from the first of them that is a location. */
export function placeOf(attributes: unknown): Place | undefined {
  const own = placeIn(attributes)
  if (own !== undefined || !isObject(attributes)) return own
  for (const value of Object.values(attributes)) {
    const place = placeIn(value)
    if (place !== undefined) return place
  }
  return undefined
}

/** Names of members that name the body of a location, in the order tried. */
export const BODIES = ['locatedOn', 'body', 'planet', 'celestialBody']

/**
 * Returns the body of an entity's location: the one that the entity names, as a reference or a text, else the one that the
 * schema of its type names as `x-body`; undefined for the Earth.
 */
export function bodyOf(attributes: unknown, schema?: unknown): EntityRef | string | undefined {
  return bodyMemberOf(attributes)?.body ?? textMember(schema, 'x-body')
}

/** Returns the member by which an entity names the body of its location. */
export function bodyMemberOf(attributes: unknown): { name: string; body: EntityRef | string } | undefined {
  for (const name of BODIES) {
    const value = member(attributes, name)
    const body = referenceIn(value) ?? (typeof value === 'string' ? value : undefined)
    if (body !== undefined) return { name, body }
  }
  return undefined
}

const OUTLINED = ['earth', 'moon', 'mars'] as const

/** A body with a background to draw below its locations. */
export type Outlined = (typeof OUTLINED)[number]

/** Returns the name of a body's background; undefined if there is none. */
export function outlineOf(body: EntityRef | string | undefined): Outlined | undefined {
  if (body === undefined) return 'earth'
  const name = (typeof body === 'string' ? body : body.id).toLowerCase()
  return OUTLINED.find((one) => one === name)
}
