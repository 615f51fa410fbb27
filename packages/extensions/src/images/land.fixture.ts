/** Simplifies the explorer's outline of the land for share images. */

/** Minimum distance between kept points, in degrees: half the radius of a dot on a map of the whole Earth. */
const STEP = 1.5

/** Returns the outline in half degrees, as differences between points at least `STEP` apart. */
export function shortLand(outline: string): string {
  const rings = outline.split('Z').filter((ring) => ring !== '')
  return rings
    .map((ring) =>
      shortRing(
        ring
          .slice(1)
          .split('L')
          .map((point) => point.split(' ').map(Number)),
      ),
    )
    .join('')
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
