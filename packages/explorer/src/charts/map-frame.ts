/** The visible part of a map, in degrees, and its conversion to pixels. */

import type { Place } from '@worldwright/extensions/shown'
import type { Box } from '@worldwright/extensions/views'

/** Centre of the visible part, and magnification relative to the whole map. */
export interface MapFrame {
  readonly longitude: number
  readonly latitude: number
  readonly zoom: number
  /** True if the map is in Web Mercator, as tiles are. Otherwise a degree of latitude is as long as one of longitude. */
  readonly isMercator?: boolean
}

/** Frame that shows the whole map, without zoom. */
export const WHOLE: MapFrame = { longitude: 0, latitude: 0, zoom: 1 }

/** Zoom and extent of a map. In Web Mercator it is a square, and half as wide as the frame if it is whole. */
const PLAIN = { least: 1, most: 256, height: 90, edge: 90, digits: 3 }
const MERCATOR = { least: 0.5, most: 32_768, height: 180, edge: 85.0511287798066, digits: 6 }

function limitsOf({ isMercator }: Pick<MapFrame, 'isMercator'>) {
  return isMercator ? MERCATOR : PLAIN
}

const RADIAN = Math.PI / 180

/** Returns the distance between the equator and a latitude, or the edge of the map before it, in degrees of longitude. */
export function heightOf(frame: Pick<MapFrame, 'isMercator'>, latitude: number): number {
  const { edge } = limitsOf(frame)
  const seen = Math.min(edge, Math.max(-edge, latitude))
  return frame.isMercator ? Math.asinh(Math.tan(seen * RADIAN)) / RADIAN : seen
}

function latitudeAt({ isMercator }: MapFrame, height: number): number {
  return isMercator ? Math.atan(Math.sinh(height * RADIAN)) / RADIAN : height
}

/** Reports whether a map shows a latitude when it is whole. */
export function hasLatitude(frame: MapFrame, latitude: number): boolean {
  return Math.abs(latitude) <= limitsOf(frame).edge
}

/** Returns the frame clamped to the edges of the map. */
export function within(frame: MapFrame): MapFrame {
  const { least, most, height } = limitsOf(frame)
  const zoom = Math.min(most, Math.max(least, frame.zoom))
  const [across, down] = [Math.max(0, 180 - 180 / zoom), height - 90 / zoom]
  return {
    ...frame,
    longitude: Math.min(across, Math.max(-across, frame.longitude)),
    latitude: latitudeAt(frame, Math.min(down, Math.max(-down, heightOf(frame, frame.latitude)))),
    zoom,
  }
}

/** Returns a frame that shows all of the locations with some margin. */
export function frameAround(places: readonly Place[], isMercator?: boolean): MapFrame {
  const frame = isMercator ? { ...WHOLE, isMercator } : WHOLE
  if (places.length === 0) return within({ ...frame, zoom: 0 })
  const longitudes = places.map((one) => one.longitude)
  const heights = places.map(({ latitude }) => heightOf(frame, latitude))
  const [west, south] = [Math.min(...longitudes), Math.min(...heights)]
  const [east, north] = [Math.max(...longitudes), Math.max(...heights)]
  const room = Math.max((east - west) / 360, (north - south) / 180, 1 / 24) * 1.25
  const latitude = latitudeAt(frame, (south + north) / 2)
  return within({ ...frame, longitude: (west + east) / 2, latitude, zoom: 1 / room })
}

function edgesOf(frame: MapFrame): Box {
  const { longitude, latitude, zoom } = frame
  const [across, height] = [180 / zoom, heightOf(frame, latitude)]
  const [south, north] = [-90, 90].map((down) => latitudeAt(frame, height + down / zoom)) as [number, number]
  return [Math.max(-180, longitude - across), south, Math.min(180, longitude + across), north]
}

/** Returns the box shown by a frame, in degrees rounded to a thousandth, or in Web Mercator to a millionth. */
export function boxOf(frame: MapFrame): [number, number, number, number] {
  return rounded(frame, edgesOf(frame)) as [number, number, number, number]
}

function rounded(frame: MapFrame, values: readonly number[]): number[] {
  return values.map((value) => Number(value.toFixed(limitsOf(frame).digits)))
}

/** Width of the largest cells in degrees, and of the smallest ones in pixels. */
const LARGEST = 11.25
const SMALLEST = 10

/** Returns the width of the cells of a map in degrees: a power-of-two part of the largest ones. */
export function cellDegrees({ zoom }: MapFrame, width: number): number {
  const pixels = LARGEST * (width / 360) * zoom
  return LARGEST / 2 ** Math.max(0, Math.floor(Math.log2(pixels / SMALLEST)))
}

/** Returns a box around a frame whose edges are those of every fourth cell, so that it changes rarely as the map moves. */
export function seenBox(frame: MapFrame, degrees: number): Box {
  const step = degrees * 4
  const [west, south, east, north] = edgesOf(frame)
  const low = (value: number, least: number) => Math.max(least, Math.floor(value / step) * step)
  const high = (value: number, most: number) => Math.min(most, Math.ceil(value / step) * step)
  return [low(west, -180), low(south, -90), high(east, 180), high(north, 90)]
}

/** Converts a location to pixels from the upper left corner of a map that is `width` pixels wide and half as high. */
export function spotOf(
  frame: MapFrame,
  width: number,
  { longitude, latitude }: Place,
): { x: number; y: number } {
  const scale = (width / 360) * frame.zoom
  return {
    x: width / 2 + (longitude - frame.longitude) * scale,
    y: width / 4 - (heightOf(frame, latitude) - heightOf(frame, frame.latitude)) * scale,
  }
}

/** Returns the frame magnified by a factor of `times`. The location at pixel `spot` of the map stays where it is. */
export function zoomed(
  frame: MapFrame,
  times: number,
  width: number,
  spot = { x: width / 2, y: width / 4 },
): MapFrame {
  const { zoom } = within({ ...frame, zoom: frame.zoom * times })
  const change = 1 - frame.zoom / zoom
  return moved(frame, (spot.x - width / 2) * change, (spot.y - width / 4) * change, width, zoom)
}

/** Returns the frame moved right and down by a number of pixels, so that the content moves left and up, and then zoomed. */
export function moved(frame: MapFrame, across: number, down: number, width: number, zoom = frame.zoom) {
  const scale = (width / 360) * frame.zoom
  return within({
    ...frame,
    longitude: frame.longitude + across / scale,
    latitude: latitudeAt(frame, heightOf(frame, frame.latitude) - down / scale),
    zoom,
  })
}

/** Formats a frame for an address, such as `13.4,52.5,8`. */
export function frameText(frame: MapFrame): string {
  return rounded(frame, [frame.longitude, frame.latitude, frame.zoom]).join(',')
}

/** Parses a frame in an address, without clamping it. Returns undefined if `text` is undefined or malformed. */
export function frameFrom(text: string | undefined): MapFrame | undefined {
  const [longitude, latitude, zoom, more] = (text ?? '')
    .split(',')
    .map((one) => (one === '' ? Number.NaN : Number(one)))
  if (longitude === undefined || latitude === undefined || zoom === undefined || more !== undefined)
    return undefined
  return [longitude, latitude, zoom].every(Number.isFinite) ? { longitude, latitude, zoom } : undefined
}
