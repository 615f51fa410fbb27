/** Writes shapes and measured text of a share image as SVG. */

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

/** Name of a colour of the explorer. */
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
  readonly weight?: 'bold'
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
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Writes the elements of one image. */
export class Pen {
  readonly #letters: Letters
  readonly #colours: Readonly<Record<Colour, string>>
  /** True once a text has been left out because no font can draw it. */
  isPartial = false
  /** Baseline of the last line written. */
  bottom = 0

  constructor(letters: Letters, accent: string = COLOURS.accent) {
    this.#letters = letters
    this.#colours = { ...COLOURS, accent }
  }

  /** Returns the text in lines that fit. Each line is an element of its own, so its direction affects nothing else. */
  text(text: string, style: TextStyle): string {
    const { x, y, weight, colour = 'ink', width = RIGHT - x } = style
    this.bottom = y
    const words = wordsOf(text)
    const whole = words.join(' ')
    const isBold = weight === 'bold'
    const em = this.#widthOf(whole, isBold)
    if (em === undefined) this.isPartial = true
    if (em === undefined || em === 0) return ''
    const size = Math.max(style.smallest ?? style.size, Math.min(style.size, Math.floor(width / em)))
    const lines = this.#lines(words, { em: width / size, isBold, most: style.lines ?? 1 })
    const bold = isBold ? ' font-weight="700"' : ''
    const isEnd = lines.length > 1 && RIGHT_TO_LEFT.test(whole)
    const start = isEnd ? `x="${x + width}" text-anchor="end"` : `x="${x}"`
    return lines
      .map((line, index) => {
        this.bottom = y + Math.round(index * size * 1.25)
        return `<text ${start} y="${this.bottom}" font-size="${size}" fill="${this.#colours[colour]}"${bold}>${line.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? '')}</text>`
      })
      .join('')
  }

  /** Returns the width of a text on one line, in pixels; 0 if it cannot be drawn. */
  widthOf(text: string, size: number): number {
    return (this.#widthOf(wordsOf(text).join(' '), false) ?? 0) * size
  }

  /** Returns a rectangle with corners rounded by `radius` pixels. */
  box(x: number, y: number, width: number, height: number, colour: Colour, radius = 0): string {
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${this.#colours[colour]}"/>`
  }

  /** Returns a path; `more` holds further attributes. */
  path(path: string, colour: Colour, more = ''): string {
    return `<path d="${path}" fill="${this.#colours[colour]}"${more}/>`
  }

  #lines(
    words: readonly string[],
    { em, isBold, most }: { readonly em: number; readonly isBold: boolean; readonly most: number },
  ): string[] {
    const lines: string[] = []
    let line = ''
    for (const [index, word] of words.entries()) {
      const longer = line === '' ? word : `${line} ${word}`
      if ((this.#widthOf(longer, isBold) ?? 0) <= em) {
        line = longer
        continue
      }
      const isLast = lines.length === most - 1
      if (isLast || line === '')
        return [...lines, this.#cut([line, ...words.slice(index)].join(' ').trim(), em, isBold)]
      lines.push(line)
      line = word
    }
    return [...lines, (this.#widthOf(line, isBold) ?? 0) > em ? this.#cut(line, em, isBold) : line]
  }

  /** Returns the beginning of a text, with an ellipsis. Never splits a character from the marks on it. */
  #cut(text: string, em: number, isBold: boolean): string {
    const dots = RIGHT_TO_LEFT.test(text) ? '…\u200f' : '…'
    let left = em - (this.#widthOf('…', isBold) ?? 1)
    let kept = ''
    for (const { segment } of new Intl.Segmenter().segment(text)) {
      left -= this.#widthOf(segment, isBold) ?? 0
      if (left < 0) return kept.trimEnd() + dots
      kept += segment
    }
    return kept
  }

  /** Returns the width as a multiple of the font size, or undefined if a character cannot be drawn. */
  #widthOf(text: string, isBold: boolean): number | undefined {
    let sum = 0
    for (const character of text) {
      if (UNDRAWN.test(character)) continue
      const width = this.#letters.widthOf(character, isBold)
      if (width === undefined) return undefined
      sum += width
    }
    return sum
  }
}

function wordsOf(text: string): string[] {
  const start = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
  const seen = start.replaceAll(/\s+/g, ' ').replaceAll(UNSEEN, '')
  return seen.split(' ').filter((word) => word !== '')
}
