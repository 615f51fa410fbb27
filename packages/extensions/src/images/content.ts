/** Draws the main part of a share image: bars, a map, a table or facts. */
import { LAND } from './land.ts'
import type { Pen } from './pen.ts'

/** Maximum number of bars in an image. */
export const MOST_BARS = 8

/** A quantity of a bar. `shown` is its text. */
export interface Bar {
  readonly label: string
  /** Length of the bar, from 0 up. */
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

/** Main part of an image. What exceeds a limit is not drawn, so a subtitle should give the total. */
export type ImageContent =
  /** At most `MOST_BARS` bars. */
  | { readonly kind: 'bars'; readonly bars: readonly Bar[] }
  /** At most 2,000 points. */
  | { readonly kind: 'map'; readonly points: readonly MapPoint[] }
  /** At most 6 rows of 3 columns, under the column labels. */
  | {
      readonly kind: 'table'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }
  /** At most 6 facts. */
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }

/** Left margin and width between the margins, in pixels. */
const [LEFT, WIDTH] = [64, 1072]
/** Lower edge of the content, in pixels. Below it is room for a note. */
const BOTTOM = 584
/** Height of an image, to which a map extends. */
const END = 630

/** Returns the content as SVG between `top` and the lower edge. What exceeds the limits of `ImageContent` is not drawn. */
export function contentSvg(content: ImageContent, pen: Pen, top: number): string {
  switch (content.kind) {
    case 'bars':
      return barsSvg(content.bars.slice(0, MOST_BARS), pen, top)
    case 'map':
      return mapSvg(content.points, pen, top)
    case 'table':
      return tableSvg([content.columns, ...content.rows.slice(0, 6)], pen, top)
    case 'facts':
      return factsSvg(content.facts.slice(0, 6), pen, top)
  }
}

function barsSvg(bars: readonly Bar[], pen: Pen, top: number): string {
  const height = Math.min(56, (BOTTOM - top) / Math.max(bars.length, 1))
  const size = Math.min(26, Math.round(height * 0.6))
  const widest = (texts: readonly string[], most: number) =>
    Math.min(most, Math.max(...texts.map((text) => pen.widthOf(text, size))))
  const [labels, values] = [
    widest(
      bars.map(({ label }) => label),
      400,
    ),
    widest(
      bars.map(({ shown }) => shown),
      240,
    ),
  ]
  const left = LEFT + labels + 24
  const room = LEFT + WIDTH - left - values - 16
  const longest = Math.max(...bars.map(({ value }) => value))
  return bars
    .map(({ label, value, shown }, index) => {
      const y = Math.round(top + index * height)
      const width = value > 0 ? Math.max(Math.round((value / longest) * room), 2) : 0
      const text = { y: Math.round(y + height / 2 + size * 0.36), size }
      return [
        pen.text(label, { ...text, x: LEFT, width: labels + 1 }),
        pen.box(left, Math.round(y + height * 0.2), width, Math.round(height * 0.6), 'accent', 4),
        pen.text(shown, { ...text, x: left + width + 14, width: values + 1, colour: 'soft' }),
      ].join('')
    })
    .join('')
}

function tableSvg(rows: readonly (readonly string[])[], pen: Pen, top: number): string {
  const height = Math.min(56, (BOTTOM - top) / rows.length)
  const columns = Math.min(3, Math.max(...rows.map((cells) => cells.length)))
  // The first column names the rows.
  const first = columns === 1 ? WIDTH : columns === 2 ? WIDTH * 0.6 : WIDTH * 0.44
  const other = (WIDTH - first) / Math.max(columns - 1, 1)
  return rows
    .map((cells, row) => {
      const y = Math.round(top + row * height)
      const texts = cells.slice(0, columns).map((cell, column) =>
        pen.text(cell, {
          x: Math.round(LEFT + (column === 0 ? 0 : first + (column - 1) * other)),
          y: Math.round(y + height * 0.66),
          width: Math.round((column === 0 ? first : other) - 24),
          size: row === 0 ? 20 : 25,
          colour: row === 0 ? 'soft' : 'ink',
        }),
      )
      return texts.join('') + pen.box(LEFT, Math.round(y + height), WIDTH, row === 0 ? 2 : 1, 'line')
    })
    .join('')
}

/** Gap between two columns of facts, in pixels. */
const GAP = 40

function factsSvg(facts: readonly Fact[], pen: Pen, top: number): string {
  const columns = facts.length > 3 ? 2 : 1
  const width = (WIDTH - GAP * (columns - 1)) / columns
  const height = Math.min(116, (BOTTOM - top) / Math.ceil(facts.length / columns))
  return facts
    .map(({ label, value }, index) => {
      const x = LEFT + (index % columns) * (width + GAP)
      const y = Math.round(top + Math.floor(index / columns) * height)
      return [
        pen.box(x, y, width, 1, 'line'),
        pen.text(label, { x, y: y + 36, width, size: 21, colour: 'soft' }),
        pen.text(value, { x, y: y + 74, width, size: 30 }),
      ].join('')
    })
    .join('')
}

/** Maximum points drawn on a map. */
const MOST_POINTS = 2_000
/** Least degrees of latitude between the points, as if there were more: around one point, the land can be recognized. */
const LEAST_DEGREES = 40
/** Distance of points from the upper and lower edges of a map, in pixels. */
const EDGE = 10
/** Scale of a map of the whole Earth, in pixels per degree. */
const EARTH_SCALE = 1200 / 360

/** Draws a map down to the lower edge, around all points, or around the whole Earth if there is room. */
function mapSvg(all: readonly MapPoint[], pen: Pen, top: number): string {
  const points = all
    .slice(0, MOST_POINTS)
    .filter(({ longitude: east, latitude: north }) => Math.abs(east) <= 180 && Math.abs(north) <= 90)
  const [west, east] = edgesOf(points.map(({ longitude }) => longitude))
  const [south, north] = edgesOf(points.map(({ latitude }) => latitude))
  const height = END - top
  // A tenth of the height remains free on each side of the outermost points.
  const scale = Math.min(
    (1200 * 0.9) / (east - west),
    (height * 0.8) / Math.max(north - south, LEAST_DEGREES),
  )
  const isEarth = scale <= EARTH_SCALE && (north - south) * EARTH_SCALE < height - 2 * EDGE
  const degrees = isEarth ? EARTH_SCALE : scale
  const x0 = 600 - (isEarth ? 0 : ((west + east) / 2) * degrees)
  const y0 = top + height / 2 + ((south + north) / 2) * degrees
  const radius = points.length <= 60 ? 7 : points.length <= 400 ? 5 : 3.5
  const dots = new Set(
    points.map(({ longitude, latitude }) => {
      const [x, y] = [x0 + longitude * degrees, y0 - latitude * degrees]
      return `M${(x - radius).toFixed(1)} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`
    }),
  )
  const clip = `<clipPath id="map">${pen.box(0, top, 1200, height, 'sea')}</clipPath>`
  // The outline is in half degrees.
  const land = pen.path(LAND, 'land', ` transform="translate(${x0} ${y0}) scale(${degrees / 2})"`)
  const marks = pen.path(
    [...dots].join(''),
    'accent',
    ' stroke="#fff" stroke-width="1.2" fill-opacity="0.85"',
  )
  return `${clip}<g clip-path="url(#map)">${pen.box(0, top, 1200, height, 'sea')}${land}${marks}</g>`
}

function edgesOf(values: readonly number[]): readonly [number, number] {
  return values.length === 0 ? [-180, 180] : [Math.min(...values), Math.max(...values)]
}
