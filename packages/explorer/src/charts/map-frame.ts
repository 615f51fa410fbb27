/** The visible part of a map, in degrees, and its conversion to pixels. */

import type { Place } from '@worldwright/extensions/shown'
import type { Box } from '@worldwright/extensions/views'

/** Centre of the visible part, and magnification relative to the whole map. */
export interface MapFrame {
  readonly longitude: number
  readonly latitude: number
  readonly zoom: number
}

/** Frame that shows the whole map, without zoom. */
export const WHOLE: MapFrame = { longitude: 0, latitude: 0, zoom: 1 }

/** Maximum zoom of a map. */
const MOST_ZOOM = 256

/** Returns the frame clamped to the edges of the map. */
export function within({ longitude, latitude, zoom }: MapFrame): MapFrame {
  const size = Math.min(MOST_ZOOM, Math.max(1, zoom))
  const [across, down] = [180 - 180 / size, 90 - 90 / size]
  return {
    longitude: Math.min(across, Math.max(-across, longitude)),
    latitude: Math.min(down, Math.max(-down, latitude)),
    zoom: size,
  }
}

/** Returns a frame that shows all of the locations with some margin. */
export function frameAround(places: readonly Place[]): MapFrame {
  if (places.length === 0) return WHOLE
  const [longitudes, latitudes] = [places.map((one) => one.longitude), places.map((one) => one.latitude)]
  const [west, south] = [Math.min(...longitudes), Math.min(...latitudes)]
  const [east, north] = [Math.max(...longitudes), Math.max(...latitudes)]
  const room = Math.max((east - west) / 360, (north - south) / 180, 1 / 24) * 1.25
  return within({ longitude: (west + east) / 2, latitude: (south + north) / 2, zoom: 1 / room })
}

/** Returns the box shown by a frame, in degrees rounded to a thousandth. */
export function boxOf({ longitude, latitude, zoom }: MapFrame): [number, number, number, number] {
  const [across, down] = [180 / zoom, 90 / zoom]
  const box = [longitude - across, latitude - down, longitude + across, latitude + down]
  return box.map((degrees) => Math.round(degrees * 1000) / 1000) as [number, number, number, number]
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
export function seenBox({ longitude, latitude, zoom }: MapFrame, degrees: number): Box {
  const step = degrees * 4
  const [across, down] = [180 / zoom, 90 / zoom]
  const low = (value: number, least: number) => Math.max(least, Math.floor(value / step) * step)
  const high = (value: number, most: number) => Math.min(most, Math.ceil(value / step) * step)
  return [
    low(longitude - across, -180),
    low(latitude - down, -90),
    high(longitude + across, 180),
    high(latitude + down, 90),
  ]
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
    y: width / 4 - (latitude - frame.latitude) * scale,
  }
}

/** Returns the frame magnified by a factor of `times`. The location at pixel `spot` of the map stays where it is. */
export function zoomed(
  frame: MapFrame,
  times: number,
  width: number,
  spot = { x: width / 2, y: width / 4 },
): MapFrame {
  const zoom = Math.min(MOST_ZOOM, Math.max(1, frame.zoom * times))
  const scale = (width / 360) * frame.zoom
  const change = 1 - frame.zoom / zoom
  return within({
    longitude: frame.longitude + ((spot.x - width / 2) / scale) * change,
    latitude: frame.latitude - ((spot.y - width / 4) / scale) * change,
    zoom,
  })
}

/** Returns the frame moved right and down by a number of pixels, so that the content moves left and up. */
export function moved(frame: MapFrame, across: number, down: number, width: number): MapFrame {
  const scale = (width / 360) * frame.zoom
  return within({
    ...frame,
    longitude: frame.longitude + across / scale,
    latitude: frame.latitude - down / scale,
  })
}

/** Formats a frame for an address, such as `13.4,52.5,8`. */
export function frameText({ longitude, latitude, zoom }: MapFrame): string {
  return [longitude, latitude, zoom].map((one) => Math.round(one * 1000) / 1000).join(',')
}

/** Parses a frame in an address. Returns undefined if `text` is undefined or malformed. */
export function frameFrom(text: string | undefined): MapFrame | undefined {
  const [longitude, latitude, zoom, more] = (text ?? '')
    .split(',')
    .map((one) => (one === '' ? Number.NaN : Number(one)))
  if (longitude === undefined || latitude === undefined || zoom === undefined || more !== undefined)
    return undefined
  return [longitude, latitude, zoom].every(Number.isFinite)
    ? within({ longitude, latitude, zoom })
    : undefined
}
