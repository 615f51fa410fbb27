import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

type Triple = readonly [number, number, number]

const CSS = readFileSync(join(import.meta.dirname, '../styles/base.css'), 'utf8')
/** Background of charts, as in `--raised`, in linear light. */
const GROUNDS = { light: linear('#ffffff'), dark: linear('#1b1e26') } as const
const SCHEMES = ['light', 'dark'] as const

/** Returns the colours `--NAME-0`, `--NAME-1`, … or `--NAME` of a scheme, in linear light. */
function colors(name: string, scheme: (typeof SCHEMES)[number]): Triple[] {
  const found = CSS.matchAll(new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`, 'g'))
  return [...found].map(([, light = '', dark = '']) => linear(scheme === 'light' ? light : dark))
}

function linear(hex: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

/** Sight as a matrix over linear light: usual, and without red, green or blue cones (Machado, Oliveira and Fernandes 2009). */
const SIGHTS: Readonly<Record<string, readonly Triple[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

function times(matrix: readonly Triple[], [r, g, b]: Triple): Triple {
  return matrix.map(([x, y, z]) => x * r + y * g + z * b) as unknown as Triple
}

/** Converts linear light to OKLab, in which distances are those that people see. */
function oklab(color: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  )
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones.map(Math.cbrt) as unknown as Triple,
  )
}

function linearFrom(lab: Triple): Triple {
  const cones = times(
    [
      [1, 0.3963377774, 0.2158037573],
      [1, -0.1055613458, -0.0638541728],
      [1, -0.0894841775, -1.291485548],
    ],
    lab,
  ).map((cone) => cone ** 3)
  return times(
    [
      [4.0767416621, -3.3077115913, 0.2309699292],
      [-1.2684380046, 2.6097574011, -0.3413193965],
      [-0.0041960863, -0.7034186147, 1.707614701],
    ],
    cones as unknown as Triple,
  )
}

function seen(color: Triple, sight: string): Triple {
  const light = times(SIGHTS[sight] ?? [], color).map((part) => Math.max(0, Math.min(1, part)))
  return oklab(light as unknown as Triple)
}

function distance(a: Triple, b: Triple): number {
  return Math.hypot(...a.map((part, index) => part - (b[index] ?? 0)))
}

function contrast(a: Triple, b: Triple): number {
  const [low = 0, high = 0] = [a, b]
    .map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b)
    .toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

test('nine colours of values are told apart by usual and colour-blind sight, on light and dark', () => {
  for (const scheme of SCHEMES) {
    const kinds = [...colors('kind-\\d', scheme), ...colors('kind-rest', scheme)]
    assert.equal(kinds.length, 9)
    for (const kind of kinds) assert.ok(contrast(kind, GROUNDS[scheme]) >= 3, `${scheme} ${kind}`)
    for (const sight of Object.keys(SIGHTS)) {
      const labs = kinds.map((kind) => seen(kind, sight))
      const pairs = labs.flatMap((a, index) => labs.slice(index + 1).map((b) => distance(a, b)))
      assert.ok(Math.min(...pairs) >= 0.1, `${scheme} ${sight} ${Math.min(...pairs)}`)
    }
  }
})

test('the steps of the ramp are evenly apart and in order of lightness, with and without red and green cones', () => {
  for (const scheme of SCHEMES) {
    const [least, most] = ['least', 'most'].map((name) => oklab(colors(name, scheme)[0] ?? [0, 0, 0]))
    assert.ok(least !== undefined && most !== undefined)
    const steps = Array.from({ length: 8 }, (_, index) => {
      return linearFrom(
        least.map((part, at) => part + (((most[at] ?? 0) - part) * index) / 7) as unknown as Triple,
      )
    })
    for (const step of steps) assert.ok(contrast(step, GROUNDS[scheme]) >= 2.9, `${scheme} ${step}`)
    for (const sight of Object.keys(SIGHTS)) {
      const labs = steps.map((step) => seen(step, sight))
      const lights = labs.map(([light]) => light)
      assert.deepEqual(
        lights,
        lights.toSorted((a, b) => (scheme === 'light' ? b - a : a - b)),
      )
      const gaps = labs.slice(1).map((lab, index) => distance(lab, labs[index] ?? lab))
      assert.ok(Math.max(...gaps) <= 2 * Math.min(...gaps), `${scheme} ${sight} ${gaps}`)
      assert.ok(Math.min(...gaps) >= 0.04, `${scheme} ${sight} ${gaps}`)
    }
  }
})
