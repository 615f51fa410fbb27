/** Draws share images as SVG text. Needs nothing of Node.js. */
import { contentSvg, type ImageContent } from './content.ts'
import { type Letters, Pen } from './pen.ts'

/** Width of a share image, in pixels. */
export const IMAGE_WIDTH = 1200
/** Height of a share image, in pixels. */
export const IMAGE_HEIGHT = 630

/** Everything that a share image shows. Texts may be of any length and from anybody. */
export interface Drawing {
  /** Display name of the world. */
  readonly world: string
  /** Colour of the world, as `#rrggbb`. Default, also for any other text: the explorer's. */
  readonly accent?: string | undefined
  readonly title: string
  readonly subtitle?: string | undefined
  readonly content?: ImageContent | undefined
}

/** Returns the image as SVG. A text that `letters` cannot draw is left out, and the image says so. */
export function imageSvg(drawing: Drawing, letters: Letters): string {
  const { title, subtitle, content } = drawing
  const accent = /^#[\da-f]{6}$/i.test(drawing.accent ?? '') ? drawing.accent : undefined
  const pen = new Pen(letters, accent)
  const lines = content === undefined ? 3 : 1
  const head = [
    title === drawing.world
      ? ''
      : pen.text(drawing.world, { x: 64, y: 82, size: 26, weight: 'bold', colour: 'accent' }),
    pen.text(title, { x: 64, y: 158, size: 60, smallest: 44, weight: 'bold', lines }),
  ]
  const top = pen.bottom + 50
  if (subtitle !== undefined)
    head.push(pen.text(subtitle, { x: 64, y: top, size: 27, colour: 'soft', lines: lines + 1 }))
  const body = content === undefined ? '' : contentSvg(content, pen, Math.max(pen.bottom + 32, 244))
  const note = pen.isPartial
    ? pen.text('Some text is left out: the font lacks its letters.', {
        x: 64,
        y: 612,
        size: 18,
        colour: 'soft',
      })
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${IMAGE_WIDTH}" height="${IMAGE_HEIGHT}" font-family="DejaVu Sans">${pen.box(0, 0, IMAGE_WIDTH, IMAGE_HEIGHT, 'paper')}${pen.box(0, 0, IMAGE_WIDTH, 12, 'accent')}${head.join('')}${body}${note}</svg>`
}
