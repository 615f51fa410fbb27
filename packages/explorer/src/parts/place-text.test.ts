import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPage } from '../page.fixture.ts'

startPage()
const { placeText } = await import('./place-text.ts')

test('a location is formatted in degrees north or south and in degrees east or west', () => {
  assert.equal(placeText({ latitude: -23.0193, longitude: -67.7532 }), '23.019° S, 67.753° W')
  assert.equal(placeText({ latitude: 52.5, longitude: 13.4 }), '52.5° N, 13.4° E')
  assert.equal(placeText({ latitude: 0, longitude: 0 }), '0° N, 0° E')
})
