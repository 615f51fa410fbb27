import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorldFault } from '@worldwright/core'
import type { Drawing } from './drawing.ts'
import { createImageMaker, type ImageMaker } from './image-maker.ts'
import { decodePng, differingPixels } from './png.fixture.ts'

const BARS = [
  { label: 'Io', value: 3, shown: '3' },
  { label: 'Europa', value: 1, shown: '1' },
]
const DRAWING: Drawing = { world: 'Sol', title: '', subtitle: '', content: { kind: 'bars', bars: BARS } }

function maker(t: { after(end: () => Promise<void>): void }): ImageMaker {
  const images = createImageMaker()
  assert.ok(images)
  t.after(() => images.close())
  return images
}

test('an image is a PNG of 1200 × 630 with the letters of several scripts', async (t) => {
  const images = maker(t)
  const of = async (title: string) => decodePng(await images.png({ ...DRAWING, title }))
  const without = await of('')
  assert.deepEqual([without.width, without.height], [1_200, 630])
  assert.ok(without.pixels.filter((pixel) => pixel === 0x1b5792ff).length > 12 * 1_200)
  const titles = ['Moons', 'Φεγγάρια', 'Луны', 'أقمار']
  const all = await Promise.all(titles.map(of))
  for (const [index, image] of all.entries()) {
    const inked = differingPixels(image, without)
    assert.ok(inked > 2_000 && inked < 30_000, `${titles[index]}: ${inked}`)
    for (const other of all.slice(0, index)) assert.ok(differingPixels(image, other) > 1_000)
  }
  // A private character, which no font may have: the letters of the note differ, but none are in the place of the title.
  const private_ = await of('\u{10fffd}')
  const above = (pixels: Uint32Array) => pixels.subarray(0, 1_200 * 240)
  assert.deepEqual(above(private_.pixels), above(without.pixels))
  assert.ok(differingPixels(private_, without) > 500)
})

test('equal drawings are drawn once; too many different ones at a time are refused, and drawing goes on', async (t) => {
  const images = maker(t)
  const [one, other] = await Promise.all([images.png(DRAWING), images.png({ ...DRAWING })])
  assert.equal(one, other)
  const flood = await Promise.allSettled(
    [...Array(40).keys()].map((index) => images.png({ ...DRAWING, title: `Moon ${index}` })),
  )
  const refused = flood.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  assert.equal(refused.length, 24)
  assert.equal((refused[0]?.reason as WorldFault).code, 'unavailable')
  assert.ok(await images.png({ ...DRAWING, title: 'Moon 39' }))
})

test('after a failure of the thread, a new one draws', async (t) => {
  const images = maker(t)
  const impossible = { ...DRAWING, content: { kind: 'bars', bars: null } } as unknown as Drawing
  await assert.rejects(images.png(impossible), TypeError)
  assert.ok(await images.png(DRAWING))
})

test('without the packages that draw, there is no maker', () => {
  const lacking = (missing: string) => (name: string) => {
    if (name.startsWith(missing)) throw new Error(`no ${name}`)
    return name
  }
  assert.equal(createImageMaker(lacking('@resvg/resvg-wasm')), undefined)
  assert.equal(createImageMaker(lacking('dejavu-fonts-ttf')), undefined)
  assert.ok(createImageMaker(lacking('others')))
})
