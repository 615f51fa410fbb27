/** Layout of a graph of references: an entity in the middle, with fans of nodes around it. */

/** The point of a node, and the room beside it for a name. */
export interface GraphNode {
  /** Its point, in pixels from the side on which reading starts, and from the top. */
  readonly x: number
  readonly y: number
  /** Width for its name between the point and the edge, in pixels. */
  readonly room: number
  /** True if its name precedes its point in reading direction. */
  readonly isBefore: boolean
}

/** Positions in pixels of the entities referred to (`from`) and of the referrers (`to`), each from top to bottom. */
export type GraphLayout = Readonly<ReturnType<typeof graphLayout>>

/** Height of a row in pixels: two lines. */
const ROW = 44
/** Below this width, in pixels, both fans stand one above the other, on one side of the entity. */
const WIDE = 600

/** Lays out `from` nodes that an entity refers to, and `to` that refer to it: no two names of one side share a row. */
export function graphLayout(from: number, to: number, width: number) {
  return width < WIDE ? narrow(from, to, width) : wide(from, to, width)
}

/** Puts the entity's references behind it, its referrers before it; the side of an empty fan is small. */
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
  // The name of the entity; it begins at the edge if `isAtStart`.
  const middle = { x, y, room: Math.round(reach * 1.4), isAtStart: false }
  return { height, middle, from: fan(from, 1), to: fan(to, -1) }
}

/** Puts the entity's references above it, its referrers below it. */
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

/** Returns the coordinate on the half axis `along` of an ellipse, for a point `away` on the half axis `most`. */
function arc(along: number, away: number, most: number): number {
  return along * Math.sqrt(1 - (away / most) ** 2)
}
