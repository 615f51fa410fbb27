/** An order by distance: the entities nearest to a point come first. */
import type { JsonObject } from '@worldwright/client'
import type { Place } from '../data/values.ts'
import { propertyOf } from './askable.ts'

/** The key of a property that is a location, and the point that distances are measured from. */
export interface Near {
  readonly key: string
  readonly place: Place
}

/** Formats a point for addresses: latitude and longitude, `48.86,2.35`. */
export function pointText({ latitude, longitude }: Place): string {
  return [latitude, longitude].map((one) => Math.round(one * 100_000) / 100_000).join(',')
}

/**
 * Parses a typed point: two numbers of degrees, latitude first, each optionally with `°` and a letter for its direction;
 * undefined if it is invalid.
 */
export function pointTyped(text: string): Place | undefined {
  const [, north, south, east, west] = POINT.exec(text.trim()) ?? []
  if (north === undefined || east === undefined) return undefined
  const latitude = Number(north) * (/s/i.test(south ?? '') ? -1 : 1)
  const longitude = Number(east) * (/w/i.test(west ?? '') ? -1 : 1)
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

const POINT = /^(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*°?\s*([EW])?$/i

/** Returns the sort key of the order, as `worldwright:query` takes it. */
export function nearSort({ key, place }: Near): JsonObject {
  const point = { type: 'Point', coordinates: [place.longitude, place.latitude] }
  return { op: 'distance', args: [{ property: propertyOf(key) }, point] }
}
