/** Draws the main part of a share image: bars, a map, a table or facts. */
import { LAND } from './land.ts'
import { IMAGE_HEIGHT, IMAGE_WIDTH, type Pen } from './pen.ts'

/** Maximum number of bars in an image. */
export const MOST_BARS = 8
/** Maximum number of facts, and of rows of a table, in an image. */
export const MOST_ROWS = 6

/** A quantity, from 0 up. `shown` is its text. */
export interface Bar {
  readonly label: string
  readonly value: number
  readonly shown: string
}

/** A fact about an entity, in words. */
export interface Fact {
  readonly label: string
  readonly value: string
}

/** A location on the Earth, in degrees. */
export interface MapPoint {
  readonly longitude: number
  readonly latitude: number
}

/** Main part of an image. Bars, rows and facts beyond the maximum are not drawn, so a subtitle should give the total. */
export type ImageContent =
  | { readonly kind: 'bars'; readonly bars: readonly Bar[] }
  | { readonly kind: 'map'; readonly points: readonly MapPoint[] }
  /** At most 3 columns are drawn. */
  | {
      readonly kind: 'table'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }

/** Left margin and width between the margins, in pixels. */
const [LEFT, WIDTH] = [64, 1072]
/** Lower edge of the content, in pixels. Below it is room for a note. */
const BOTTOM = 584

/** Returns the content as SVG between `top` and the lower edge. */
export function contentSvg(content: ImageContent, pen: Pen, top: number): string {
  if (content.kind === 'map') return mapSvg(content.points, pen, top)
  const lines =
    content.kind === 'bars'
      ? barsSvg(content.bars.slice(0, MOST_BARS), pen, top)
      : content.kind === 'table'
        ? tableSvg([content.columns, ...content.rows.slice(0, MOST_ROWS)], pen, top)
        : factsSvg(content.facts.slice(0, MOST_ROWS), pen, top)
  return lines.join('')
}

function barsSvg(bars: readonly Bar[], pen: Pen, top: number): string[] {
  const height = Math.min(56, (BOTTOM - top) / bars.length)
  const size = Math.min(26, Math.round(height * 0.6))
  const widest = (member: 'label' | 'shown', most: number) =>
    Math.min(most, Math.max(...bars.map((bar) => pen.widthOf(bar[member], size))))
  const [labels, values] = [widest('label', 400), widest('shown', 240)]
  const left = LEFT + labels + 24
  const room = LEFT + WIDTH - left - values - 16
  const longest = Math.max(...bars.map(({ value }) => value))
  return bars.map(({ label, value, shown }, index) => {
    const y = Math.round(top + index * height)
    const width = value > 0 ? Math.max(Math.round((value / longest) * room), 2) : 0
    const text = { y: Math.round(y + height / 2 + size * 0.36), size }
    return [
      pen.text(label, { ...text, x: LEFT, width: labels + 1 }),
      pen.box(left, Math.round(y + height * 0.2), width, Math.round(height * 0.6), 'accent', 4),
      pen.text(shown, { ...text, x: left + width + 14, width: values + 1, colour: 'soft' }),
    ].join('')
  })
}

/** Width of the first column, which names the rows, by the number of columns. */
const FIRST = [0, WIDTH, WIDTH * 0.6, WIDTH * 0.44]

function tableSvg(rows: readonly (readonly string[])[], pen: Pen, top: number): string[] {
  const height = Math.min(56, (BOTTOM - top) / rows.length)
  return rows.map((all, row) => {
    const y = Math.round(top + row * height)
    const cells = all.slice(0, FIRST.length - 1)
    const first = FIRST[cells.length] ?? 0
    const other = (WIDTH - first) / (cells.length - 1)
    const style = row === 0 ? { size: 20, colour: 'soft' as const } : { size: 25 }
    const texts = cells.map((cell, column) => {
      const [x, width] = column === 0 ? [0, first] : [first + (column - 1) * other, other]
      const place = { x: Math.round(LEFT + x), y: Math.round(y + height * 0.66) }
      return pen.text(cell, { ...style, ...place, width: Math.round(width - 24) })
    })
    return texts.join('') + pen.box(LEFT, Math.round(y + height), WIDTH, row === 0 ? 2 : 1, 'line')
  })
}

/** Gap between two columns of facts, in pixels. */
const GAP = 40

function factsSvg(facts: readonly Fact[], pen: Pen, top: number): string[] {
  const columns = facts.length > 3 ? 2 : 1
  const width = (WIDTH - GAP * (columns - 1)) / columns
  const height = Math.min(116, (BOTTOM - top) / Math.ceil(facts.length / columns))
  return facts.map(({ label, value }, index) => {
    const x = LEFT + (index % columns) * (width + GAP)
    const y = Math.round(top + Math.floor(index / columns) * height)
    return [
      pen.box(x, y, width, 1, 'line'),
      pen.text(label, { x, y: y + 36, width, size: 21, colour: 'soft' }),
      pen.text(value, { x, y: y + 74, width, size: 30 }),
    ].join('')
  })
}

/** Least degrees of latitude between the points, as if there were more: around one point, the land can be recognized. */
const LEAST_DEGREES = 40
/** Distance of points from the upper and lower edges of a map, in pixels. */
const EDGE = 10
/** Scale of a map of the whole Earth, in pixels per degree. */
const EARTH_SCALE = IMAGE_WIDTH / 360

/** Draws a map down to the lower edge, around all points, or around the whole Earth if there is room. */
function mapSvg(points: readonly MapPoint[], pen: Pen, top: number): string {
  const [east, width] = middleOf(points.map(({ longitude }) => longitude))
  const [north, tall] = middleOf(points.map(({ latitude }) => latitude))
  const height = IMAGE_HEIGHT - top
  // A tenth of the height remains free on each side of the outermost points.
  const scale = Math.min((IMAGE_WIDTH * 0.9) / width, (height * 0.8) / Math.max(tall, LEAST_DEGREES))
  const isEarth = scale <= EARTH_SCALE && tall * EARTH_SCALE < height - 2 * EDGE
  const degrees = isEarth ? EARTH_SCALE : scale
  const x0 = IMAGE_WIDTH / 2 - (isEarth ? 0 : east * degrees)
  const y0 = top + height / 2 + north * degrees
  const radius = points.length <= 60 ? 7 : 5
  const arc = `a${radius} ${radius} 0 1 0`
  const dots = points.map(({ longitude, latitude }) => {
    const [x, y] = [x0 + longitude * degrees - radius, y0 - latitude * degrees]
    return `M${x.toFixed(1)} ${y.toFixed(1)}${arc} ${2 * radius} 0${arc} ${-2 * radius} 0z`
  })
  const sea = pen.box(0, top, IMAGE_WIDTH, height, 'sea')
  // The outline is in half degrees.
  const land = pen.path(LAND, 'land', `transform="translate(${x0} ${y0}) scale(${degrees / 2})"`)
  const marks = pen.path(dots.join(''), 'accent', 'stroke="#fff" stroke-width="1.2" fill-opacity="0.85"')
  return `<clipPath id="map">${sea}</clipPath><g clip-path="url(#map)">${sea}${land}${marks}</g>`
}

function middleOf(values: readonly number[]): readonly [middle: number, extent: number] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return [(least + most) / 2, most - least]
}
