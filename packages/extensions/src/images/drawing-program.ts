/** Entry point of the thread that draws share images, one after another. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { type Drawing, imageSvg } from './drawing.ts'
import { fontWidths } from './font-widths.ts'

const read = (name: string) => readFileSync(createRequire(import.meta.url).resolve(name))
await initWasm(read('@resvg/resvg-wasm/index_bg.wasm'))
const fontBuffers = ['', '-Bold'].map((style) => read(`dejavu-fonts-ttf/ttf/DejaVuSans${style}.ttf`))
const [upright, bold] = fontBuffers.map(fontWidths)
const letters = {
  widthOf(character: string, isBold: boolean) {
    const codePoint = character.codePointAt(0) ?? 0
    // What the bold font lacks is drawn in the upright one.
    return (isBold ? bold?.(codePoint) : undefined) ?? upright?.(codePoint)
  },
}

parentPort?.on('message', (drawing: Drawing) => parentPort?.postMessage(pngOf(drawing)))

function pngOf(drawing: Drawing): Uint8Array {
  const picture = new Resvg(imageSvg(drawing, letters), {
    font: { fontBuffers, defaultFontFamily: 'DejaVu Sans' },
  })
  const drawn = picture.render()
  try {
    return drawn.asPng()
  } finally {
    drawn.free()
    picture.free()
  }
}
