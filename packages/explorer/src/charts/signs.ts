/** Shapes that tell values apart where the browser forces its own colours. */
import { REST } from './shades.ts'

/** Corners of the shapes, in the order of the colours, in percent of a square. The first shape is a circle. */
const CORNERS = [
  '',
  '8% 8%,93% 8%,93% 93%,8% 93%',
  '50% 0%,100% 95%,0% 95%',
  '50% 0%,100% 50%,50% 100%,0% 50%',
  '0% 5%,100% 5%,50% 100%',
  '0% 0%,100% 0%,0% 100%,100% 100%',
  '35% 0%,65% 0%,65% 35%,100% 35%,100% 65%,65% 65%,65% 100%,35% 100%,35% 65%,0% 65%,0% 35%,35% 35%',
  '0% 0%,60% 0%,100% 50%,60% 100%,0% 100%,40% 50%',
]
/** Shape of the rest: a bar. */
const BAR = '0% 35%,100% 35%,100% 65%,0% 65%'

/** Reports whether the browser replaces the colours of pages. */
export function isForced(): boolean {
  return globalThis.matchMedia?.('(forced-colors: active)').matches === true
}

/** Returns the shape of the colour of a value or of the rest, for `clip-path`. Colours of a ramp have none. */
export function signOf(color: string | undefined): string | undefined {
  const corners = cornersOf(color)
  return corners === '' ? 'circle()' : corners && `polygon(${corners})`
}

/** Returns the shape of a colour around a point as the path of a filled area, or undefined for a circle. */
export function signPath(
  color: string | undefined,
  x: number,
  y: number,
  radius: number,
): string | undefined {
  const corners = cornersOf(color) || undefined
  const at = (middle: number, percent = '') =>
    Math.round((middle + (Number.parseFloat(percent) / 50 - 1) * radius) * 10) / 10
  const points = corners?.split(',').map((corner) => {
    const [right, down] = corner.split(' ')
    return `${at(x, right)} ${at(y, down)}`
  })
  return points && `M${points.join('L')}Z`
}

function cornersOf(color = ''): string | undefined {
  return color === REST ? BAR : CORNERS[Number(/^var\(--kind-(\d)\)$/.exec(color)?.[1])]
}
