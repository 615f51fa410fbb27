import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLabelNumber, namedField } from './units.ts'

test('the unit at the end of the name of a number is split off', () => {
  const cases: [string, string, string | undefined][] = [
    ['radiusKm', 'Radius', 'km'],
    ['massKg', 'Mass', 'kg'],
    ['massEarths', 'Mass', 'earths'],
    ['orbitalPeriodDays', 'Orbital period', 'days'],
    ['semiMajorAxisAu', 'Semi major axis', 'au'],
    ['gravityMs2', 'Gravity', 'm/s²'],
    ['meanTemperatureC', 'Mean temperature', '°C'],
    ['elevationM', 'Elevation', 'm'],
    ['distanceLightYears', 'Distance', 'lightYears'],
    ['latitudeDeg', 'Latitude', '°'],
    ['distance_km', 'Distance', 'km'],
    ['discoveryYear', 'Discovery year', undefined],
    ['vitaminC', 'Vitamin c', undefined],
    ['km', 'Km', undefined],
    ['eccentricity', 'Eccentricity', undefined],
  ]
  for (const [name, label, unit] of cases) assert.deepEqual(namedField(name, true), { label, unit }, name)
})

test('no unit is inferred from the name of a text member', () => {
  assert.deepEqual(namedField('openingDays', false), { label: 'Opening days', unit: undefined })
})

test('abbreviations keep their case, and unusual names stay readable', () => {
  assert.equal(namedField('homeURL', false).label, 'Home URL')
  assert.equal(namedField('', false).label, '')
  assert.equal(namedField('größeKm', true).label, 'Größe')
  assert.equal(namedField('__proto__', false).label, 'Proto')
})

test('years and other numbers that are labels are recognised', () => {
  for (const name of [
    'discoveryYear',
    'minorPlanetNumber',
    'id',
    'postcode',
    'year',
    'isbn13',
    'isbn',
    'best_book_id',
    'EAN',
    'oclc',
  ])
    assert.ok(isLabelNumber(name), name)
  for (const name of ['orbitalPeriodYears', 'population', 'volcano', 'paid', 'numberOfPages'])
    assert.ok(!isLabelNumber(name), name)
})
