import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameAround, within } from './map-frame.ts'
import { tilesOf } from './tile-grid.ts'

test('the whole map is a square of tiles in its middle', () => {
  const tiles = tilesOf(frameAround([], true), 1024)
  assert.deepEqual(
    tiles.map(({ z, x, y, left, size }) => [z, x, y, left, size]),
    [
      [1, 0, 0, 256, 256],
      [1, 1, 0, 512, 256],
      [1, 0, 1, 256, 256],
      [1, 1, 1, 512, 256],
    ],
  )
})

test('a tile is where its ground is: Berlin lies in column 550 and row 335 of level 10', () => {
  const berlin = { longitude: 13.405, latitude: 52.52 }
  const frame = within({ ...berlin, zoom: 256, isMercator: true })
  const middle = tilesOf(frame, 1024).find(
    ({ left, top, size }) => left <= 512 && left + size > 512 && top <= 256 && top + size > 256,
  )
  assert.deepEqual([middle?.z, middle?.x, middle?.y, middle?.size], [10, 550, 335, 256])
})

test('tiles cover the map at every zoom, and are few', () => {
  for (const width of [220, 900, 2_000, 8_000])
    for (let zoom = 0.5; zoom <= 32_768; zoom *= 1.3) {
      const tiles = tilesOf(within({ longitude: -179, latitude: 85, zoom, isMercator: true }), width)
      assert.ok(tiles.length > 0 && tiles.length <= 120, `${tiles.length} at ${zoom} of ${width}`)
      for (const { z, x, y } of tiles) assert.ok(x >= 0 && y >= 0 && x < 2 ** z && y < 2 ** z && z <= 19)
      if (zoom < 1) continue
      const area = tiles.reduce((sum, { left, top, size }) => {
        const across = Math.min(width, left + size) - Math.max(0, left)
        return sum + across * (Math.min(width / 2, top + size) - Math.max(0, top))
      }, 0)
      assert.ok(Math.abs(area / (width * (width / 2)) - 1) < 1e-6, `${zoom} of ${width}`)
    }
})
