import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outline } from '../../build/outline.ts'
import { WHOLE } from './map-frame.ts'
import { labelsOf } from './map-labels.ts'

/** Returns what a module of the build exports. */
function built(name: string) {
  const { load } = outline() as { load: (id: string) => string }
  const values = load(`\0virtual:${name}`).matchAll(/export const (\w+) = JSON\.parse\((.*)\)/g)
  return Object.fromEntries([...values].map(([, key = '', text = '']) => [key, JSON.parse(JSON.parse(text))]))
}

const { COUNTRIES, BORDERS } = built('borders') as {
  COUNTRIES: Parameters<typeof labelsOf>[0]
  BORDERS: string
}
const regions = new Intl.DisplayNames(['en'], { type: 'region' })
const nameOf = (code: string) => (code.length === 2 ? (regions.of(code) ?? code) : code)
const namesAt = (longitude: number, latitude: number, zoom: number, width = 900) =>
  labelsOf(COUNTRIES, { longitude, latitude, zoom }, width, nameOf)

test('the build places the name of each country within it', () => {
  /** Countries, each with a box that it fills, in degrees. */
  const within = [
    ['DE', 8, 49, 13, 54],
    ['CL', -76, -55, -67, -18],
    ['NZ', 166, -47, 179, -34],
    ['US', -125, 29, -70, 49],
  ] as const
  for (const [code, west, south, east, north] of within) {
    const [, longitude = 0, latitude = 0] = COUNTRIES.find(([name]) => name === code) ?? []
    assert.ok(longitude > west && longitude < east && latitude > south && latitude < north, code)
  }
  assert.ok(COUNTRIES.length >= 230)
  // A few territories have no code.
  assert.ok(COUNTRIES.some(([name]) => name === 'Somaliland'))
  assert.ok(
    COUNTRIES.every(([, longitude, latitude]) => Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90),
  )
})

test('a whole map names large countries, and an enlarged one small ones', () => {
  const whole = namesAt(WHOLE.longitude, WHOLE.latitude, 1).map(({ name }) => name)
  assert.ok(whole.includes('Brazil') && whole.includes('Australia') && !whole.includes('Belgium'))
  const near = namesAt(5, 50, 20).map(({ name }) => name)
  assert.ok(near.includes('Belgium') && !near.includes('Brazil'))
})

test('names neither overlap nor leave the map, at any zoom', () => {
  for (const [longitude, latitude] of [
    [0, 0],
    [15, 48],
    [20, 0],
    [-75, 15],
    [105, 12],
  ] as const)
    for (const zoom of [1, 2, 4, 8, 16, 64, 256])
      for (const width of [320, 900]) {
        const labels = namesAt(longitude, latitude, zoom, width)
        for (const [index, { name, x, y }] of labels.entries()) {
          const half = name.length * 3
          assert.ok(x - half >= 0 && x + half <= width && y > 0 && y < width / 2, name)
          for (const other of labels.slice(index + 1))
            assert.ok(
              Math.abs(other.y - y) > 12 || Math.abs(other.x - x) > half + other.name.length * 3,
              `${name} and ${other.name} at zoom ${zoom}`,
            )
        }
      }
})

test('borders are lines between countries, and land is closed; both are finer in detail', () => {
  const detail = built('detail')
  assert.ok(/^(?:M[-\d. ]+(?:l[-\d. ]+)*)+$/.test(BORDERS))
  assert.ok(String(detail['BORDERS']).length > 2 * BORDERS.length)
  const { LAND } = built('outline')
  assert.ok(/^(?:M[-\d. ]+(?:l[-\d. ]+)+Z)+$/.test(String(LAND)))
  assert.ok(String(detail['LAND']).length > 4 * String(LAND).length)
})
