import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  boxOf,
  cellDegrees,
  frameAround,
  frameFrom,
  frameText,
  hasLatitude,
  heightOf,
  moved,
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
  const far = frameFrom('1e9,1e9,1e9') ?? WHOLE
  assert.deepEqual(within(far), { longitude: 180 - 180 / 256, latitude: 90 - 90 / 256, zoom: 256 })
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

const MERCATOR = { ...WHOLE, isMercator: true }
const near = (value: number, expected: number, error = 1e-6) =>
  assert.ok(Math.abs(value - expected) < error, `${value} is not ${expected}`)

test('Web Mercator is a square that ends at 85.05 degrees', () => {
  // Values of the projection: 180/π · ln tan(45° + latitude/2).
  near(heightOf(MERCATOR, 52.52), 61.9361, 1e-4)
  near(heightOf(MERCATOR, 85.0511287798066), 180)
  near(heightOf(MERCATOR, 90), 180)
  assert.equal(heightOf(WHOLE, 52.52), 52.52)
  assert.deepEqual(
    [85.05, -85.06].map((latitude) => hasLatitude(MERCATOR, latitude)),
    [true, false],
  )
  assert.ok(hasLatitude(WHOLE, -90))
  const whole = frameAround([], true)
  assert.deepEqual(whole, { longitude: 0, latitude: 0, zoom: 0.5, isMercator: true })
  const { x, y } = spotOf(whole, 720, { longitude: -180, latitude: 85.0511287798066 })
  assert.equal(x, 180)
  near(y, 0)
  const [west, south, east, north] = boxOf(whole)
  assert.deepEqual([west, east], [-180, 180])
  near(north, 85.051129)
  near(south, -85.051129)
  assert.deepEqual(seenBox(whole, 5.625), [-180, -90, 180, 90])
})

test('in Web Mercator, too, zooming and moving keep what is under the pointer, and frames contain their places', () => {
  const oslo = { longitude: 10.75, latitude: 59.91 }
  const frame = within({ longitude: 5, latitude: 57, zoom: 12, isMercator: true })
  const before = spotOf(frame, 720, oslo)
  const after = spotOf(zoomed(frame, 4, 720, before), 720, oslo)
  near(after.x, before.x)
  near(after.y, before.y)
  const gone = spotOf(moved(frame, 30, -20, 720), 720, oslo)
  near(gone.x, before.x - 30)
  near(gone.y, before.y + 20)
  const tromso = { longitude: 18.96, latitude: 69.65 }
  const around = frameAround([oslo, tromso], true)
  for (const place of [oslo, tromso]) {
    const { x, y } = spotOf(around, 720, place)
    assert.ok(x > 0 && x < 720 && y > 0 && y < 360, JSON.stringify({ x, y }))
  }
  assert.equal(within({ ...frame, zoom: 1e9 }).zoom, 32_768)
  near(within({ ...frame, latitude: 1e9, zoom: 1 }).latitude, 66.51326, 1e-4)
  assert.equal(frameText({ ...frame, longitude: 13.40001 }), '13.40001,57,12')
})
