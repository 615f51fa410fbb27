/** Simplifies the explorer's outline of the land for share images. */

/** Minimum distance between kept points, in degrees: half the radius of a dot on a map of the whole Earth. */
const STEP = 1.5

/** Returns the outline in half degrees, as differences between points at least `STEP` apart. */
export function shortLand(outline: string): string {
  const rings = outline.split('Z').filter((ring) => ring !== '')
  return rings.map((ring) => shortRing(pointsOf(ring))).join('')
}

/** Returns the points of a ring, whose path has the differences between them. */
function pointsOf(ring: string): number[][] {
  const numbers = (ring.match(/-?(?:\d+(?:\.\d+)?|\.\d+)/g) ?? []).map(Number)
  let [x, y] = [0, 0]
  return numbers.flatMap((right, index) => {
    if (index % 2 > 0) return []
    x += right
    y += numbers[index + 1] ?? 0
    return [[x, y]]
  })
}

function shortRing(points: readonly number[][]): string {
  const kept: number[][] = []
  for (const [x = 0, y = 0] of points) {
    const [lastX = Infinity, lastY = 0] = kept.at(-1) ?? []
    if (Math.hypot(x - lastX, y - lastY) >= STEP) kept.push([x, y])
  }
  if (kept.length < 4) return ''
  let [x, y] = [0, 0]
  const steps = kept.map(([east = 0, south = 0]) => {
    const [toX, toY] = [Math.round(east * 2), Math.round(south * 2)]
    const step = `${toX - x} ${toY - y}`
    ;[x, y] = [toX, toY]
    return step
  })
  return `M${steps[0]}l${steps.slice(1).join(' ').replaceAll(' -', '-')}z`
}
