/** Clustering of nearby points on a map. */

/** Point on a map, in pixels from the map's upper left corner. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** Points drawn as a single mark at their centroid. */
export interface Cluster<T extends Spot> extends Spot {
  readonly spots: readonly T[]
}

/**
 * Clusters points. In input order, each point that is not yet clustered becomes the seed of a cluster of all remaining
 * points within `radius` pixels of it. Hand-written, since clustering libraries support only Web Mercator.
 */
export function clustersOf<T extends Spot>(spots: readonly T[], radius: number): Cluster<T>[] {
  const cells = Map.groupBy(spots, ({ x, y }) => cellOf(Math.floor(x / radius), Math.floor(y / radius)))
  const taken = new Set<T>()
  const clusters: Cluster<T>[] = []
  for (const spot of spots) {
    if (taken.has(spot)) continue
    const [column, row] = [Math.floor(spot.x / radius), Math.floor(spot.y / radius)]
    const near: T[] = []
    for (const cell of around(column, row)) {
      const others = cells.get(cell) ?? []
      const isNear = ({ x, y }: T) => (x - spot.x) ** 2 + (y - spot.y) ** 2 <= radius ** 2
      near.push(...others.filter(isNear))
      // Remove clustered points from the cell, so that later seeds need not scan them.
      cells.set(
        cell,
        others.filter((other) => !isNear(other)),
      )
    }
    for (const one of near) taken.add(one)
    clusters.push({ ...middleOf(near), spots: near })
  }
  return clusters
}

function around(column: number, row: number): string[] {
  const steps = [-1, 0, 1]
  return steps.flatMap((across) => steps.map((down) => cellOf(column + across, row + down)))
}

function cellOf(column: number, row: number): string {
  return `${column} ${row}`
}

function middleOf(spots: readonly Spot[]): Spot {
  const sum = spots.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 })
  return { x: sum.x / spots.length, y: sum.y / spots.length }
}
