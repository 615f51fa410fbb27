/** Sorting by distance from a point, nearest first. */
import type { JsonObject } from '@worldwright/client/protocol'
import { propertyOf } from './property-key.ts'

/** A point on a body, in degrees. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** A location property, by its key, and the point from which distances to it are measured. */
export interface Near {
  readonly key: string
  readonly place: Point
}

/** Formats a point for an address as latitude and longitude, such as `48.86,2.35`. */
export function pointText({ latitude, longitude }: Point): string {
  return [latitude, longitude].map((one) => Math.round(one * 100_000) / 100_000).join(',')
}

/**
 * Parses a point typed by the user: two numbers in degrees, latitude first, each optionally followed by `°` and a compass
 * letter. Returns undefined if the point is invalid.
 */
export function pointTyped(text: string): Point | undefined {
  const [, north, south, east, west] = POINT.exec(text.trim()) ?? []
  if (north === undefined || east === undefined) return undefined
  const latitude = Number(north) * (/s/i.test(south ?? '') ? -1 : 1)
  const longitude = Number(east) * (/w/i.test(west ?? '') ? -1 : 1)
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

const POINT = /^(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([EW])?$/i

/** Returns the key for a sort by distance, in the form that `worldwright:query` accepts. */
export function nearSort({ key, place }: Near): JsonObject {
  const point = { type: 'Point', coordinates: [place.longitude, place.latitude] }
  return { op: 'distance', args: [{ property: propertyOf(key) }, point] }
}
