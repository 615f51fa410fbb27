import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distanceKm } from './distance.ts'

test('a distance is the length of the shortest path over the surface of the body', () => {
  const paris = { latitude: 48.8566, longitude: 2.3522 }
  const london = { latitude: 51.5074, longitude: -0.1278 }
  assert.equal(Math.round(distanceKm(paris, london, 'earth') ?? 0), 344)
  const [east, west] = [179, -179].map((longitude) => ({ latitude: 0, longitude })) as [
    typeof paris,
    typeof paris,
  ]
  assert.equal(Math.round(distanceKm(east, west, 'earth') ?? 0), 222)
  assert.equal(Math.round(distanceKm(east, west, 'moon') ?? 0), 61)
  assert.equal(distanceKm(paris, paris, 'earth'), 0)
  assert.equal(distanceKm(paris, london, undefined), undefined)
})
