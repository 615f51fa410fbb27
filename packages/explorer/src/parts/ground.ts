/**
 * Map backgrounds by body, as SVG paths in degrees whose y axis points south. They show the land of the Earth, the dark
 * plains of the Moon, and the large plains and volcanoes of Mars. Loaded with the first map.
 */
import { LAND } from 'virtual:outline'
import type { Outlined } from '@worldwright/extensions/shown'

/** Returns the background of a body as an SVG path. */
export function groundOf(body: Outlined): string {
  if (body === 'earth') return LAND
  drawn.set(body, drawn.get(body) ?? DRAWINGS[body]())
  return drawn.get(body) ?? ''
}

const drawn = new Map<Outlined, string>()

/** Centre of a circle, in degrees north and east, and its diameter in kilometres. */
type Circle = readonly [north: number, east: number, across: number]

/** Mean radii, in kilometres. */
const MOON_RADIUS = 1737
const MARS_RADIUS = 3390

/**
 * Lunar seas, with rounded locations and sizes from the gazetteer of the International Astronomical Union, which is in the
 * public domain. The Ocean of Storms and the Sea of Cold are not circular, so several circles approximate each of them.
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

/** Plains, basins and volcanoes of Mars, from the same gazetteer. A row of circles approximates the Valles Marineris. */
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

/** Returns the path of a circle on a sphere. The circle must not cross the 180th meridian. */
function circlePath([north, east, across]: Circle, radius: number): string {
  const size = across / 2 / radius
  const points = Array.from({ length: STEPS }, (_, step) =>
    pointAround(north, size, (step * 2 * Math.PI) / STEPS),
  )
  return `M${points.map(([turn, y]) => `${short(east + turn)} ${short(-y)}`).join('L')}Z`
}

/** Number of vertices in the path of a circle. */
const STEPS = 48

/** Returns the point `size` radians from a centre at latitude `north`, as degrees east of the centre and latitude. */
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
