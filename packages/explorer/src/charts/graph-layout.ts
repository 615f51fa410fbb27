/** Layout of a reference graph: an entity in the middle, with fans of nodes around it. */

/** Position of a node, and the width available for its name. */
export interface GraphNode {
  /** Distance from the edge where reading starts, and from the top, in pixels. */
  readonly x: number
  readonly y: number
  /** Width available for the name between the point and the edge, in pixels. */
  readonly room: number
  /** True if the name precedes the point in the reading direction. */
  readonly isBefore: boolean
}

/** Height of the graph, and the positions of all nodes in pixels: `from` and `to` are each in order from top to bottom. */
export type GraphLayout = Readonly<ReturnType<typeof graphLayout>>

/** Height of a row of two text lines, in pixels. */
const ROW = 44
/** Width in pixels below which the fans are above and below the entity instead of beside it. */
const WIDE = 600

/** Lays out `from` references and `to` referrers around an entity. No two names on the same side share a row. */
export function graphLayout(from: number, to: number, width: number) {
  return width < WIDE ? narrow(from, to, width) : wide(from, to, width)
}

/** Puts the references after the entity and the referrers before it. A side without nodes is kept narrow. */
function wide(from: number, to: number, width: number) {
  const height = Math.max(from, to, 3) * ROW
  const y = height / 2
  const x = width * (to === 0 ? 0.2 : from === 0 ? 0.8 : 0.5)
  const reach = width * 0.2
  const fan = (length: number, direction: 1 | -1) =>
    Array.from({ length }, (_, index): GraphNode => {
      const away = (index - (length - 1) / 2) * ROW
      const at = x + direction * arc(reach, away, height * 0.75)
      return { x: at, y: y + away, room: direction > 0 ? width - at : at, isBefore: direction < 0 }
    })
  // Name of the entity. It starts at the edge if `isAtStart` is true, and is centred otherwise.
  const middle = { x, y, room: Math.round(reach * 1.4), isAtStart: false }
  return { height, middle, from: fan(from, 1), to: fan(to, -1) }
}

/** Puts the references above the entity and the referrers below it. */
function narrow(from: number, to: number, width: number) {
  const x = 12
  const y = (from + 0.5) * ROW
  const node = (rows: number, most: number): GraphNode => {
    const at = x + arc(64, rows, most * 1.15)
    return { x: at, y: y + rows * ROW, room: width - at, isBefore: false }
  }
  return {
    height: (from + to + 1) * ROW,
    middle: { x, y, room: width, isAtStart: true },
    from: Array.from({ length: from }, (_, index) => node(index - from, from)),
    to: Array.from({ length: to }, (_, index) => node(index + 1, to)),
  }
}

/** For an ellipse with semi-axes `along` and `most`, returns the coordinate on the first axis for `away` on the second. */
function arc(along: number, away: number, most: number): number {
  return along * Math.sqrt(1 - (away / most) ** 2)
}
