import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLabelNumber, isYearName, namedField } from './units.ts'

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

test('a year is recognised by its name or title in any language of the page, and an amount per year is none', () => {
  for (const name of [
    'year',
    'discoveryYear',
    'year_built',
    'Year of birth',
    'Erscheinungsjahr',
    'Año',
    'سنة',
  ])
    assert.ok(isYearName(name), name)
  for (const name of [
    'orbitalPeriodYears',
    'lightYear',
    'light year',
    'yearly',
    'Tonnes per year',
    'yearRank',
  ])
    assert.ok(!isYearName(name), name)
})

test('numbers that are labels are recognised', () => {
  for (const name of ['minorPlanetNumber', 'id', 'postcode', 'isbn13', 'isbn', 'best_book_id', 'EAN', 'oclc'])
    assert.ok(isLabelNumber(name), name)
  for (const name of ['orbitalPeriodYears', 'population', 'volcano', 'paid', 'numberOfPages'])
    assert.ok(!isLabelNumber(name), name)
})
