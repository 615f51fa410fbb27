/**
 * Reads a TrueType font that has a table of all Unicode characters (format 12). The result returns the width of a character
 * as a fraction of the font size, or undefined if the font has no glyph for it.
 * @throws RangeError or TypeError for other files
 */
export function fontWidths(file: Uint8Array): (codePoint: number) => number | undefined {
  const all = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const table = (tag: string) => {
    const count = all.getUint16(4)
    const at = Array.from({ length: count }, (_, index) => 12 + 16 * index).find(
      (at) => Buffer.from(file.subarray(at, at + 4)).toString('latin1') === tag,
    )
    if (at === undefined) throw new TypeError(`The font has no table ${tag}.`)
    return new DataView(file.buffer, file.byteOffset + all.getUint32(at + 8), all.getUint32(at + 12))
  }
  const [perSize, lastWidth, widths] = [
    table('head').getUint16(18),
    table('hhea').getUint16(34) - 1,
    table('hmtx'),
  ]
  const glyphs = new Map(glyphsIn(table('cmap')))
  return (codePoint) => {
    const glyph = glyphs.get(codePoint)
    return glyph === undefined ? undefined : widths.getUint16(4 * Math.min(glyph, lastWidth)) / perSize
  }
}

/** Yields each character with the number of its glyph. */
function* glyphsIn(cmap: DataView): Generator<[codePoint: number, glyph: number]> {
  const starts = Array.from({ length: cmap.getUint16(2) }, (_, index) => cmap.getUint32(8 + 8 * index))
  const start = starts.find((start) => cmap.getUint16(start) === 12)
  if (start === undefined) throw new TypeError('The font has no table of all Unicode characters.')
  for (let at = start + 16, left = cmap.getUint32(start + 12); left > 0; left -= 1, at += 12) {
    const [first, last, glyph] = [cmap.getUint32(at), cmap.getUint32(at + 4), cmap.getUint32(at + 8)]
    for (let codePoint = first; codePoint <= last; codePoint += 1)
      yield [codePoint, glyph + codePoint - first]
  }
}
