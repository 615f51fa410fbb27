/** Clusters points that lie close together on a map. */

/** A point on a map, in pixels from its upper left corner. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** Points that are drawn as one mark, in their middle. */
export interface Cluster<T extends Spot> extends Spot {
  readonly spots: readonly T[]
}

/**
 * Clusters points with those within `radius` pixels of the first of them, in input order; each point is in one cluster.
 * Our own, since libraries for it support only the usual projection of web maps.
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
      // Remove taken points: many at one spot would otherwise be compared with each other.
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
