import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outline } from '../../../explorer/build/outline.ts'
import { type Drawing, imageSvg } from './drawing.ts'
import { shortLand } from './land.fixture.ts'
import { LAND } from './land.ts'
import type { Letters } from './pen.ts'

/** Every character is as wide as the font size, but `#` cannot be drawn. */
const SQUARE: Letters = { widthOf: (character) => (character === '#' ? undefined : 1) }

const ROWS = [
  { label: 'Io', value: 4, shown: '4 km' },
  { label: 'Europa', value: 2, shown: '2 km' },
  { label: 'Nothing', value: 0, shown: '0 km' },
]

interface Written {
  readonly x: number
  readonly size: number
  readonly text: string
}

function textsIn(svg: string): Written[] {
  return [
    ...svg.matchAll(
      /<text x="([\d.]+)"(?: text-anchor="end")? y="\d+" font-size="(\d+)"[^>]*>([^<]*)<\/text>/g,
    ),
  ].map(([, x, size, text = '']) => ({ x: Number(x), size: Number(size), text }))
}

function drawn(drawing: Partial<Drawing>, letters = SQUARE): string {
  return imageSvg({ world: 'Sol', title: 'Moons', subtitle: '', ...drawing }, letters)
}

test('bars are as long as their values, and none for 0', () => {
  const svg = drawn({ content: { kind: 'bars', bars: ROWS } })
  assert.deepEqual(
    textsIn(svg).map(({ text }) => text),
    ['Sol', 'Moons', 'Io', '4 km', 'Europa', '2 km', 'Nothing', '0 km'],
  )
  const widths = [...svg.matchAll(/<rect [^>]*width="(\d+)"[^>]*rx="4"/g)].map(([, width]) => Number(width))
  assert.equal(widths.length, 3)
  const [first = 0, second = 0, third] = widths
  assert.ok(first > 100 && Math.abs(first - 2 * second) <= 1, String(widths))
  assert.equal(third, 0)
})

test('hostile texts are escaped, and turn no direction', () => {
  const hostile = `</text><script>&"'\u202e\u2067\u0000\ud800 ]]>`
  const kinds: Drawing['content'][] = [
    undefined,
    { kind: 'bars', bars: [{ label: hostile, value: 1, shown: hostile }] },
    { kind: 'table', columns: [hostile], rows: [[hostile, hostile, hostile, hostile]] },
    { kind: 'facts', facts: [{ label: hostile, value: hostile }] },
  ]
  for (const content of kinds) {
    const svg = drawn({ world: hostile, title: hostile, subtitle: hostile, content })
    const tags = new Set(svg.match(/<\/?[a-z]+/gi))
    assert.deepEqual([...tags.difference(new Set(['<svg', '</svg', '<rect', '<text', '</text']))], [])
    assert.match(svg, /&lt;\/text&gt;&lt;script&gt;&amp;"' \]\]&gt;/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    assert.doesNotMatch(svg, /[\u0000-\u001f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/)
  }
})

test('texts that do not fit are cut, and end within the image', () => {
  const long = 'moon '.repeat(2_000) + 'x'.repeat(100_000)
  const facts = Array.from({ length: 50 }, () => ({ label: long, value: long }))
  const rows = Array.from({ length: 5_000 }, () => [long, long, long, long])
  const contents: Drawing['content'][] = [
    undefined,
    { kind: 'bars', bars: ROWS.map((row) => ({ ...row, label: long, shown: long })) },
    { kind: 'table', columns: [long, long, long, long], rows },
    { kind: 'facts', facts },
  ]
  for (const content of contents) {
    const texts = textsIn(drawn({ world: `Sol ${long}`, title: long, subtitle: long, content }))
    assert.ok(texts.length >= 3 && texts.length <= 30, String(texts.length))
    for (const { x, size, text } of texts) assert.ok(x + size * [...text].length <= 1_137, text)
    assert.ok(texts.filter(({ text }) => text.endsWith('…')).length >= 3)
  }
})

test('a cut never splits a character from its marks, and an ellipsis follows the direction of the text', () => {
  const marked = textsIn(drawn({ title: 'e\u0301'.repeat(300), content: { kind: 'facts', facts: [] } }))[1]
    ?.text
  assert.match(marked ?? '', /^(?:e\u0301)+…$/)
  const arabic = textsIn(drawn({ title: 'ق'.repeat(300), content: { kind: 'facts', facts: [] } }))[1]?.text
  assert.match(arabic ?? '', /^ق+…\u200f$/)
})

test('a text that no font can draw is left out, which the image says', () => {
  const texts = textsIn(drawn({ title: '#', subtitle: 'All of them' })).map(({ text }) => text)
  assert.deepEqual(texts.slice(0, 2), ['Sol', 'All of them'])
  assert.match(texts[2] ?? '', /^Some text is left out/)
  assert.doesNotMatch(drawn({}), /left out/)
})

test('points are where the land is', () => {
  const at = (longitude: number, latitude: number) => ({ longitude, latitude })
  const dots = (points: ReturnType<typeof at>[]) => {
    const svg = drawn({ content: { kind: 'map', points } })
    const [, x0, y0, scale] = /translate\(([\d.-]+) ([\d.-]+)\) scale\(([\d.]+)\)/.exec(svg) ?? []
    const marks = [...svg.matchAll(/M([\d.-]+) ([\d.-]+)a([\d.]+)/g)].map(([, x, y, r]) => [
      0 + Math.round((Number(x) + Number(r) - Number(x0)) / Number(scale) / 2),
      0 + Math.round((Number(y0) - Number(y)) / Number(scale) / 2),
      Math.abs(Number(y) - 437) < 193,
    ])
    return marks
  }
  assert.deepEqual(dots([at(13, 52)]), [[13, 52, true]])
  assert.deepEqual(dots([at(-170, 80), at(175, -85), at(0, 0)]), [
    [-170, 80, true],
    [175, -85, true],
    [0, 0, true],
  ])
})

test('the land is that of the explorer', () => {
  const plugin = outline().load as (id: string) => string
  const [, path = ''] = /"(M[^"\\]*)\\"/.exec(plugin('\0virtual:outline')) ?? []
  assert.equal(LAND, shortLand(path))
  assert.ok(LAND.split('z').length > 50)
})
