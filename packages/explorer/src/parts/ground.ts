/**
 * The background of a map by body, as the path of an SVG in degrees with south downwards: the land of the Earth, the dark
 * plains of the Moon, and the large plains and volcanoes of Mars. Fetched with the first map.
 */
import { LAND } from 'virtual:outline'
import type { Outlined } from '../data/values.ts'

/** Returns the path of a body's background. */
export function groundOf(body: Outlined): string {
  if (body === 'earth') return LAND
  drawn.set(body, drawn.get(body) ?? DRAWINGS[body]())
  return drawn.get(body) ?? ''
}

const drawn = new Map<Outlined, string>()

/** Degrees north and east of the centre, and diameter in kilometres. */
type Circle = readonly [north: number, east: number, across: number]

/** Mean radii in kilometres. */
const MOON_RADIUS = 1737
const MARS_RADIUS = 3390

/**
 * The seas of the Moon, by locations and sizes in the gazetteer of the International Astronomical Union, rounded; it is in
 * the public domain. The Ocean of Storms and the Sea of Cold are not circular: several circles, set by hand, stand for each.
 */
const SEAS: readonly Circle[] = [
  [35, -15, 1146],
  [27, 18, 674],
  [8, 31, 876],
  [16, 59, 556],
  [-8, 54, 840],
  [-15, 35, 339],
  [-21, -17, 715],
  [-24, -39, 420],
  [13, 4, 242],
  [-11, -22, 350],
  [8, -31, 512],
  [57, 82, 231],
  [13, 87, 358],
  [-2, 87, 374],
  [-20, -95, 294],
  [27, 148, 276],
  [-33, 165, 282],
  [-48, 92, 997],
  [7, 69, 245],
  [44, -52, 500],
  [34, -58, 700],
  [22, -57, 850],
  [10, -53, 850],
  [0, -48, 650],
  [58, -40, 240],
  [58, -28, 240],
  [58, -16, 240],
  [57, -4, 240],
  [57, 8, 240],
  [56, 20, 240],
  [55, 32, 240],
]

/**
 * Plains, basins and volcanoes of Mars, from the same gazetteer. The Valles Marineris are a row of circles along their
 * length.
 */
const PLAINS: readonly Circle[] = [
  [-42, 70, 2299],
  [-50, -43, 893],
  [14, 88, 1225],
  [47, 118, 3300],
  [50, -21, 2300],
  [28, -41, 1542],
  [19, -134, 610],
  [12, -104, 456],
  [1, -113, 375],
  [-8, -120, 470],
  [40, -110, 530],
  [25, 147, 401],
  [-7, -101, 420],
  [-7, -93, 200],
  [-7, -86, 200],
  [-9, -79, 260],
  [-11, -72, 300],
  [-13, -65, 260],
  [-13, -58, 260],
  [-13, -51, 280],
  [-12, -43, 320],
]

const DRAWINGS: Readonly<Record<Exclude<Outlined, 'earth'>, () => string>> = {
  moon: () => circlesPath(SEAS, MOON_RADIUS),
  mars: () => circlesPath(PLAINS, MARS_RADIUS),
}

function circlesPath(circles: readonly Circle[], radius: number): string {
  return circles.map((circle) => circlePath(circle, radius)).join('')
}

/** Returns the path of a circle on a sphere. One over the 180th meridian is drawn at both edges, which clip it. */
function circlePath([north, east, across]: Circle, radius: number): string {
  const size = across / 2 / radius
  const points = Array.from({ length: STEPS }, (_, step) =>
    pointAround(north, size, (step * 2 * Math.PI) / STEPS),
  )
  const reach = Math.max(...points.map(([turn]) => turn))
  const shifts = [0, ...(east + reach > 180 ? [-360] : []), ...(east - reach < -180 ? [360] : [])]
  return shifts
    .map((shift) => `M${points.map(([turn, y]) => `${short(east + turn + shift)} ${short(-y)}`).join('L')}Z`)
    .join('')
}

/** Vertices of the path of a circle. */
const STEPS = 48

/** Returns the degrees east of the centre, and north, of the point `size` radians from it in a direction. */
function pointAround(north: number, size: number, direction: number): [turn: number, north: number] {
  const from = radians(north)
  const sine = Math.sin(from) * Math.cos(size) + Math.cos(from) * Math.sin(size) * Math.cos(direction)
  const turn = Math.atan2(
    Math.sin(direction) * Math.sin(size) * Math.cos(from),
    Math.cos(size) - Math.sin(from) * sine,
  )
  return [degrees(turn), degrees(Math.asin(sine))]
}

function radians(value: number): number {
  return (value * Math.PI) / 180
}

function degrees(value: number): number {
  return (value * 180) / Math.PI
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}
