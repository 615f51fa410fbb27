/** Classifies values for display. */

import { referenceIn as referenceOf } from '@worldwright/client/foreign'
import type { EntityRef, JsonObject, JsonValue } from '@worldwright/client/protocol'
import { isNumber, isObject, member, textMember } from './schema.ts'

/** A value classified for display. */
export type Kind =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'reference'; readonly value: EntityRef }
  | { readonly kind: 'place'; readonly value: Place }
  | { readonly kind: 'list'; readonly value: readonly JsonValue[] }
  | { readonly kind: 'object'; readonly value: JsonObject }

/** A location on a body, in degrees. North and east are positive. */
export interface Place {
  readonly latitude: number
  readonly longitude: number
}

/** Classifies a value. A string is a reference only if the schema declares it as an id of the type `idsOf`. */
export function kindOf(value: JsonValue | undefined, idsOf?: string): Kind {
  if (value === undefined || value === null) return { kind: 'nothing' }
  if (typeof value === 'boolean') return { kind: 'truth', value }
  if (isNumber(value)) return { kind: 'number', value }
  if (typeof value === 'string' && idsOf !== undefined && value !== '')
    return { kind: 'reference', value: { type: idsOf, id: value } }
  if (typeof value === 'string') return { kind: 'text', value }
  if (Array.isArray(value)) return { kind: 'list', value }
  const reference = referenceIn(value)
  if (reference !== undefined) return { kind: 'reference', value: reference }
  const place = placeIn(value)
  return place === undefined ? { kind: 'object', value } : { kind: 'place', value: place }
}

/** Maximum depth to which nested lists and objects are searched for a value. */
const MOST_LEVELS = 8

/** Reports whether a value is absent, null or blank, or contains only such values. Returns false if nested too deeply. */
export function isNothing(value: JsonValue | undefined, level = 0): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  if (typeof value !== 'object' || isNumber(value) || level > MOST_LEVELS) return false
  return Object.values(value).every((inner) => isNothing(inner, level + 1))
}

/** Parses an object as a reference, including any `world` member. Returns undefined if it is not a reference. */
export function referenceIn(value: unknown): EntityRef | undefined {
  const reference = referenceOf(value)
  const world = textMember(value, 'world')
  return reference && { ...reference, ...(world !== undefined && { world }) }
}

/** Names of members for a latitude in degrees, in order of precedence. */
export const LATITUDE = ['latitudeDeg', 'latitude', 'lat']
/** Names of members for a longitude in degrees, in order of precedence. */
export const LONGITUDE = ['longitudeDeg', 'longitude', 'lon', 'lng', 'long']

/** Returns the location that an object represents, either as a GeoJSON point or by members for latitude and longitude. */
export function placeIn(value: unknown): Place | undefined {
  const numberAt = (names: readonly string[]) => names.map((name) => member(value, name)).find(isNumber)
  const coordinates = member(value, 'type') === 'Point' ? member(value, 'coordinates') : undefined
  const [east, north] = Array.isArray(coordinates) ? coordinates : []
  const latitude = Number(isNumber(north) ? north : numberAt(LATITUDE))
  const longitude = Number(isNumber(east) ? east : numberAt(LONGITUDE))
  if (Number.isNaN(latitude + longitude)) return undefined
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 360) return undefined
  // Planetary catalogues count longitude eastwards from 0 to 360.
  return {
    latitude,
    longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude,
  }
}

/** Returns the location in the attributes object itself, or else the first location among its values. */
export function placeOf(attributes: unknown): Place | undefined {
  const own = placeIn(attributes)
  if (own !== undefined || !isObject(attributes)) return own
  for (const value of Object.values(attributes)) {
    const place = placeIn(value)
    if (place !== undefined) return place
  }
  return undefined
}

/** Names of members for the body of a location, in order of precedence. */
export const BODIES = ['locatedOn', 'body', 'planet', 'celestialBody']

/**
 * Returns the body on which an entity is located: the reference or string by which the entity names it, or else the `x-body`
 * of its type's schema. Undefined if neither names a body, which means the Earth.
 */
export function bodyOf(attributes: unknown, schema?: unknown): EntityRef | string | undefined {
  return bodyMemberOf(attributes)?.body ?? textMember(schema, 'x-body')
}

/** Returns the member in which an entity names the body of its location, or undefined if there is none. */
export function bodyMemberOf(attributes: unknown): { name: string; body: EntityRef | string } | undefined {
  for (const name of BODIES) {
    const value = member(attributes, name)
    const body = referenceIn(value) ?? (typeof value === 'string' ? value : undefined)
    if (body !== undefined) return { name, body }
  }
  return undefined
}

const OUTLINED = ['earth', 'moon', 'mars'] as const

/** A body that has a map background. */
export type Outlined = (typeof OUTLINED)[number]

/** Returns the map background of a body, or undefined if it has none. */
export function outlineOf(body: EntityRef | string | undefined): Outlined | undefined {
  if (body === undefined) return 'earth'
  const name = (typeof body === 'string' ? body : body.id).toLowerCase()
  return OUTLINED.find((one) => one === name)
}
