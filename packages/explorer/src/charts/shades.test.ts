import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moon, openMoons, refTo } from '../moons.fixture.ts'
import { measuresOf } from '../question/measures.ts'
import { partsOf, rangesOf, shadesOf } from './shades.ts'

const { askable } = await openMoons()
const radius = askable('radiusKm')
const shadeAt = (shades: ReturnType<typeof shadesOf>, attributes: Record<string, unknown>) =>
  shades.find(({ holds }) => holds(moon('x', attributes)))?.label

test('each of up to eight values has a colour, and the rest shares one', () => {
  const values = ['icy', 'rocky', ...Array.from({ length: 8 }, (_, index) => `kind ${index}`)]
  const shades = shadesOf(askable('kind'), undefined, values)
  assert.equal(shades.length, 9)
  assert.deepEqual(shades[1]?.where, { op: '=', args: [{ property: 'kind' }, 'rocky'] })
  assert.equal(shadeAt(shades, { kind: 'rocky' }), 'rocky')
  // An entity with several values has the colour of the first in the legend.
  assert.equal(shadeAt(shades, { kind: ['rocky', 'icy'] }), 'icy')
  assert.equal(shadeAt(shades, { kind: 'kind 7' }), 'other or no value')
  assert.equal(shadeAt(shades, {}), 'other or no value')
})

test('references and booleans are compared as in filters', () => {
  const orbits = shadesOf(askable('orbits'), undefined, ['f:planet/saturn'])
  assert.equal(shadeAt(orbits, { orbits: refTo('saturn') }), 'f:planet/saturn')
  assert.deepEqual(orbits[0]?.where, {
    op: '=',
    args: [{ property: 'orbits' }, { type: 'f:planet', id: 'saturn' }],
  })
  assert.equal(shadeAt(shadesOf(askable('retrograde'), undefined, ['true']), { retrograde: true }), 'true')
})

test('a number has ranges with round ends, evenly along the ramp, and logarithmic ones if it spans magnitudes', () => {
  const [measure] = measuresOf([radius])
  assert.ok(measure !== undefined)
  const texts = (ranges: ReturnType<typeof rangesOf>) => ranges.map(({ label }) => label)
  assert.deepEqual(texts(rangesOf([0, 95], measure)), [
    '< 20 km',
    '20 – 40 km',
    '40 – 60 km',
    '60 – 80 km',
    '≥ 80 km',
  ])
  assert.deepEqual(texts(rangesOf([1, 900], measure)).slice(0, 3), ['< 3 km', '3 – 10 km', '10 – 30 km'])
  assert.deepEqual(texts(rangesOf([5, 5], measure)), ['5 km'])
  const steps = rangesOf([0, 95], measure).map(({ step }) => step)
  assert.deepEqual(steps, [0, 0.25, 0.5, 0.75, 1])
  assert.ok(rangesOf([1e-9, 1e30], measure).length <= 8)
  const shades = shadesOf(radius, [0, 95], [])
  assert.equal(shadeAt(shades, { radiusKm: 20 }), '20 – 40 km')
  assert.equal(shadeAt(shades, {}), 'other or no value')
  assert.deepEqual(shades[0]?.where, { op: '<', args: [{ property: 'radiusKm' }, 20] })
})

test('the parts of a bar exclude the shades before them, so that no entity counts twice', () => {
  const shades = shadesOf(askable('kind'), undefined, ['a', 'b', 'c'])
  const is = (value: string) => ({ op: '=', args: [{ property: 'kind' }, value] })
  assert.deepEqual(partsOf(shades), [
    is('a'),
    { op: 'and', args: [is('b'), { op: 'not', args: [is('a')] }] },
    { op: 'and', args: [is('c'), { op: 'not', args: [is('a')] }, { op: 'not', args: [is('b')] }] },
  ])
})
