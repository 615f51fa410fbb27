/**
 * Preview picture for an entity without a picture of its own: rings in colours derived from its type and id. It contains no
 * text, because that would require fonts for every script. Previews show the title beside the picture.
 */
import { hash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** Size in pixels, with the usual aspect ratio of previews. */
const WIDTH = 600
const HEIGHT = 315
/** Number of colours in a picture. */
const SHADES = 16

/** Returns a PNG of 600 by 315 pixels, which depends only on the type and id. */
export function cardPng(type: string, id: string): Buffer {
  const ofType = hash('sha256', type, 'buffer')
  const ofId = hash('sha256', `${type} ${id}`, 'buffer')
  const hue = (ofType.readUInt16BE(0) / 65_536) * 360
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // Eight bits per pixel, as an index into the palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', palette(hue, hue + 30 + ofId.readUInt8(0) / 4)),
    chunk('IDAT', deflateSync(pixels(ofId), { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}

/** Returns rows of pixels, each after the filter byte 0 (none). The rings around two centres overlap. */
function pixels(seed: Buffer): Buffer {
  const centres = [0, 1].map((at) => ({
    x: (seed.readUInt8(1 + at) / 255) * WIDTH,
    y: (seed.readUInt8(3 + at) / 255) * HEIGHT,
    width: 24 + seed.readUInt8(5 + at) / 4,
  }))
  const lines = Buffer.alloc((WIDTH + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y += 1) {
    const line = y * (WIDTH + 1) + 1
    for (let x = 0; x < WIDTH; x += 1) {
      let ring = 0
      // Avoids `Math.hypot`, which takes ten times as long.
      for (const { x: left, y: top, width } of centres)
        ring += Math.floor(Math.sqrt((x - left) ** 2 + (y - top) ** 2) / width)
      lines[line + x] = ring % SHADES
    }
  }
  return lines
}

/** Returns shades between two hues, as red, green and blue. */
function palette(from: number, to: number): Buffer {
  const colours = Array.from({ length: SHADES }, (_, at) => {
    // Runs up and back down, so that the last shade meets the first.
    const part = 1 - Math.abs((2 * at) / SHADES - 1)
    return rgb(from + (to - from) * part, 0.55, 0.28 + 0.4 * part)
  })
  return Buffer.from(colours.flat())
}

function rgb(hue: number, saturation: number, lightness: number): number[] {
  const amplitude = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const position = (offset + hue / 30) % 12
    const value = lightness - amplitude * Math.max(-1, Math.min(position - 3, 9 - position, 1))
    return Math.round(value * 255)
  })
}
