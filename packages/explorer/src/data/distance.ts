/** Distance between two locations on a body. */
import type { Outlined, Place } from '@worldwright/extensions/shown'

/** Mean radii in kilometres. */
const RADII: Readonly<Record<Outlined, number>> = { earth: 6371.0088, moon: 1737.4, mars: 3389.5 }

/** Returns the great-circle distance in kilometres, or undefined if the radius of the body is unknown. */
export function distanceKm(from: Place, to: Place, body: Outlined | undefined): number | undefined {
  return body === undefined ? undefined : angle(from, to) * RADII[body]
}

/** Returns the angle between two locations in radians. Uses the haversine formula, which is accurate at small distances. */
function angle(from: Place, to: Place): number {
  const [north, south] = [radians(from.latitude), radians(to.latitude)]
  const across = Math.sin((south - north) / 2) ** 2
  const along = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2
  return 2 * Math.asin(Math.min(1, Math.sqrt(across + Math.cos(north) * Math.cos(south) * along)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
