import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cellDegrees,
  frameAround,
  frameFrom,
  frameText,
  seenBox,
  spotOf,
  WHOLE,
  within,
  zoomed,
} from './map-frame.ts'

test('the whole map is centred on the prime meridian and the equator', () => {
  assert.deepEqual(spotOf(WHOLE, 720, { longitude: 0, latitude: 0 }), { x: 360, y: 180 })
  assert.deepEqual(spotOf(WHOLE, 720, { longitude: -180, latitude: 90 }), { x: 0, y: 0 })
})

test('zooming keeps the given point in place', () => {
  const berlin = { longitude: 13.4, latitude: 52.5 }
  const before = spotOf(WHOLE, 720, berlin)
  const after = spotOf(zoomed(WHOLE, 4, 720, before), 720, berlin)
  assert.ok(Math.abs(after.x - before.x) < 1e-6 && Math.abs(after.y - before.y) < 1e-6)
})

test('a frame stays within the map and contains all the locations it was made for', () => {
  assert.deepEqual(within({ longitude: 500, latitude: -500, zoom: 2 }), {
    longitude: 90,
    latitude: -45,
    zoom: 2,
  })
  const places = [
    { longitude: 5, latitude: 45 },
    { longitude: 15, latitude: 55 },
  ]
  const frame = frameAround(places)
  assert.ok(frame.zoom > 5, String(frame.zoom))
  for (const place of places) {
    const { x, y } = spotOf(frame, 720, place)
    assert.ok(x > 0 && x < 720 && y > 0 && y < 360)
  }
})

test('a frame round-trips through an address', () => {
  assert.equal(frameText({ longitude: 13.40001, latitude: 52.5, zoom: 8 }), '13.4,52.5,8')
  assert.deepEqual(frameFrom('13.4,52.5,8'), { longitude: 13.4, latitude: 52.5, zoom: 8 })
  for (const text of [undefined, '', '1,2', '1,2,x', '1,,3', '1,2,3,4', 'NaN,1,1'])
    assert.equal(frameFrom(text), undefined, text)
  assert.deepEqual(frameFrom('1e9,1e9,1e9'), within({ longitude: 1e9, latitude: 1e9, zoom: 1e9 }))
})

test('the cells of a map are at least 10 pixels wide, and their box changes rarely as the map moves', () => {
  assert.equal(cellDegrees(WHOLE, 900), 5.625)
  assert.equal(cellDegrees({ ...WHOLE, zoom: 8 }, 900), 0.703125)
  assert.equal(cellDegrees(WHOLE, 300), 11.25)
  assert.deepEqual(seenBox(WHOLE, 5.625), [-180, -90, 180, 90])
  const box = seenBox({ longitude: 10, latitude: 50, zoom: 36 }, 0.25)
  assert.deepEqual(box, [5, 47, 15, 53])
  assert.deepEqual(seenBox({ longitude: 10.01, latitude: 50.01, zoom: 36.1 }, 0.25), box)
})
