/** Distances on the globe, modeled as a sphere. */
import type { Point } from '../port/conditions.ts'

/** Mean radius of the Earth, in metres. */
export const EARTH_RADIUS = 6_371_008.8
const RADIANS = Math.PI / 180

/** Returns the great-circle distance between two points, in metres. */
export function metresBetween(one: Point, other: Point): number {
  const latitudes = Math.sin(((other.latitude - one.latitude) * RADIANS) / 2)
  const longitudes = Math.sin(((other.longitude - one.longitude) * RADIANS) / 2)
  const cosines = Math.cos(one.latitude * RADIANS) * Math.cos(other.latitude * RADIANS)
  const haversine = latitudes * latitudes + cosines * longitudes * longitudes
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(haversine)))
}
