import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LAND } from '../compiled-sources.fixture.ts'

const { groundOf } = await import('./ground.ts')

/** Returns the bounding box of each outline in a path, in degrees. */
function outlines(path: string) {
  return path
    .split('Z')
    .filter((part) => part !== '')
    .map((part) => {
      const points = part
        .slice(1)
        .split('L')
        .map((point) => point.split(' ').map(Number))
      const [xs, ys] = [points.map(([x = Number.NaN]) => x), points.map(([, y = Number.NaN]) => y)]
      const box = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
      return { points: points.length, box }
    })
}

test('the background of the Earth is the land outline that the build provides', () => {
  assert.equal(groundOf('earth'), LAND)
})

test('lunar plains are circles of their recorded size, with the south at the bottom', () => {
  const [rains, ...others] = outlines(groundOf('moon'))
  // Sea of Rains: centred at 35° N, 15° W, and 1,146 km across, which is 18.9° in each direction from the centre.
  assert.equal(rains?.points, 48)
  assert.deepEqual(rains?.box.slice(2), [-53.9, -16.1])
  assert.ok(others.length >= 30)
  assert.ok([...others].every(({ box }) => box.every((degrees) => Number.isFinite(degrees))))
})

test('no outline crosses the edge of the map', () => {
  for (const body of ['moon', 'mars'] as const) {
    const boxes = outlines(groundOf(body)).map(({ box }) => box)
    assert.ok(boxes.length > 20)
    for (const [west = -999, east = 999, top = -999, bottom = 999] of boxes)
      assert.ok(west >= -180 && east <= 180 && top >= -90 && bottom <= 90, `${body} ${west} ${east}`)
  }
  assert.equal(groundOf('mars'), groundOf('mars'))
})
