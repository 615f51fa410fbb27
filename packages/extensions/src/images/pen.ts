/** Writes shapes and measured text of a share image as SVG. */

/** Width of a share image, in pixels. */
export const IMAGE_WIDTH = 1200
/** Height of a share image, in pixels. */
export const IMAGE_HEIGHT = 630

/** Widths of characters in the fonts at hand. */
export interface Letters {
  /** Returns the width of `character` as a fraction of the font size, or undefined if no font can draw it. */
  widthOf(character: string, isBold: boolean): number | undefined
}

/** Colours of the explorer in its light scheme. */
const COLOURS = {
  paper: '#fbfaf7',
  line: '#e2dfda',
  ink: '#1c202a',
  soft: '#525761',
  accent: '#1b5792',
  sea: '#e9f2f8',
  land: '#d1d9ca',
} as const

type Colour = keyof typeof COLOURS

/** Position and style of a text. */
interface TextStyle {
  readonly x: number
  /** Baseline of the first line. */
  readonly y: number
  readonly size: number
  /** Size down to which a text that is too wide shrinks before it is cut. Default: `size`. */
  readonly smallest?: number
  /** Maximum width. Default: up to the right margin. */
  readonly width?: number
  readonly isBold?: boolean
  readonly colour?: Colour
  /** Maximum number of lines. Default: 1. */
  readonly lines?: number
}

/** Characters read of a text, which is more than an image has room for. */
const MOST_CHARACTERS = 1_000
/** Right margin, as the distance from the left edge, in pixels. */
const RIGHT = 1136
/** Characters that turn the direction of what follows, or that no image shows. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** Characters that only affect others. */
const UNDRAWN = /\p{Default_Ignorable_Code_Point}/u
const RIGHT_TO_LEFT =
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Writes the elements of one image. */
export class Pen {
  readonly #letters: Letters
  /** True once a text has been left out because no font can draw it. */
  isPartial = false
  /** Baseline of the last line written. */
  bottom = 0

  constructor(letters: Letters) {
    this.#letters = letters
  }

  /** Returns the text in lines that fit. Each line is an element of its own, so its direction affects nothing else. */
  text(text: string, style: TextStyle): string {
    const { x, y, isBold = false, colour = 'ink', width = RIGHT - x, smallest = style.size } = style
    this.bottom = y
    const words = wordsOf(text)
    const whole = words.join(' ')
    const em = this.#widthOf(whole, isBold)
    if (Number.isNaN(em)) this.isPartial = true
    if (!(em > 0)) return ''
    const size = Math.max(smallest, Math.min(style.size, Math.floor(width / em)))
    const lines = this.#lines(words, width / size, isBold, style.lines ?? 1)
    const bold = isBold ? ' font-weight="700"' : ''
    const isEnd = lines.length > 1 && RIGHT_TO_LEFT.test(whole)
    const start = isEnd ? `x="${x + width}" text-anchor="end"` : `x="${x}"`
    const elements = lines.map((line, index) => {
      this.bottom = y + Math.round(index * size * 1.25)
      const escaped = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      return `<text ${start} y="${this.bottom}" font-size="${size}" fill="${COLOURS[colour]}"${bold}>${escaped}</text>`
    })
    return elements.join('')
  }

  /** Returns the width of a text on one line, in pixels; 0 if it cannot be drawn. */
  widthOf(text: string, size: number): number {
    return (this.#widthOf(wordsOf(text).join(' '), false) || 0) * size
  }

  /** Returns a rectangle with corners rounded by `radius` pixels. */
  box(x: number, y: number, width: number, height: number, colour: Colour, radius = 0): string {
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${COLOURS[colour]}"/>`
  }

  /** Returns a path; `more` holds further attributes. */
  path(path: string, colour: Colour, more: string): string {
    return `<path d="${path}" fill="${COLOURS[colour]}" ${more}/>`
  }

  #lines(words: readonly string[], em: number, isBold: boolean, most: number): string[] {
    const lines: string[] = []
    let line = ''
    for (const [index, word] of words.entries()) {
      const longer = line === '' ? word : `${line} ${word}`
      if (this.#widthOf(longer, isBold) <= em) line = longer
      else if (lines.length === most - 1 || line === '')
        return [...lines, this.#cut([longer, ...words.slice(index + 1)].join(' '), em, isBold)]
      else {
        lines.push(line)
        line = word
      }
    }
    return [...lines, this.#cut(line, em, isBold)]
  }

  /** Returns what fits of a text, with an ellipsis if it is cut. Never splits a character from the marks on it. */
  #cut(text: string, em: number, isBold: boolean): string {
    if (this.#widthOf(text, isBold) <= em) return text
    let left = em - this.#widthOf('…', isBold)
    let kept = ''
    for (const { segment } of new Intl.Segmenter().segment(text)) {
      left -= this.#widthOf(segment, isBold)
      if (left < 0) break
      kept += segment
    }
    return `${kept.trimEnd()}…${RIGHT_TO_LEFT.test(text) ? '\u200f' : ''}`
  }

  /** Returns the width as a multiple of the font size, or NaN if a character cannot be drawn. */
  #widthOf(text: string, isBold: boolean): number {
    let sum = 0
    for (const character of text)
      if (!UNDRAWN.test(character)) sum += this.#letters.widthOf(character, isBold) ?? Number.NaN
    return sum
  }
}

function wordsOf(text: string): string[] {
  const start = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
  const seen = start.replaceAll(/\s+/g, ' ').replaceAll(UNSEEN, '')
  return seen.split(' ').filter((word) => word !== '')
}
