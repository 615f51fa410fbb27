/** Draws share images as SVG text. Needs nothing of Node.js. */
import { contentSvg, type ImageContent } from './content.ts'
import { IMAGE_HEIGHT, IMAGE_WIDTH, type Letters, Pen } from './pen.ts'

/** Everything that a share image shows. Texts may be of any length and from anybody. */
export interface Drawing {
  /** Display name of the world. */
  readonly world: string
  readonly title: string
  readonly subtitle: string
  readonly content?: ImageContent | undefined
}

/** Returns the image as SVG. A text that `letters` cannot draw is left out, and the image says so. */
export function imageSvg({ world, title, subtitle, content }: Drawing, letters: Letters): string {
  const pen = new Pen(letters)
  const lines = content === undefined ? 3 : 1
  const name =
    title === world ? '' : pen.text(world, { x: 64, y: 82, size: 26, isBold: true, colour: 'accent' })
  const head = pen.text(title, { x: 64, y: 158, size: 60, smallest: 44, isBold: true, lines })
  const soft = { x: 64, colour: 'soft' } as const
  const below = pen.text(subtitle, { ...soft, y: pen.bottom + 50, size: 27, lines: lines + 1 })
  const body = content && contentSvg(content, pen, Math.max(pen.bottom + 32, 244))
  const partial = pen.isPartial ? 'Some text is left out: the font lacks its letters.' : ''
  const note = pen.text(partial, { ...soft, y: 612, size: 18 })
  const paper = pen.box(0, 0, IMAGE_WIDTH, IMAGE_HEIGHT, 'paper') + pen.box(0, 0, IMAGE_WIDTH, 12, 'accent')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${IMAGE_WIDTH}" height="${IMAGE_HEIGHT}" font-family="DejaVu Sans">${paper}${name}${head}${below}${body ?? ''}${note}</svg>`
}
