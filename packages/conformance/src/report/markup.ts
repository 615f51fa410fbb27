/** Markup with escaped values, and foreign text made visible. */

/** A piece of HTML or SVG. */
export interface Markup {
  readonly markup: string
}

/** Template tag for markup. Escapes strings and numbers; inserts pieces of markup as they are. */
export function markup(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Markup | readonly Markup[])[]
): Markup {
  const written = values.map((value) => {
    if (typeof value !== 'object') return escaped(visible(String(value)))
    return [value]
      .flat()
      .map((piece) => (piece as Markup).markup)
      .join('')
  })
  return { markup: String.raw({ raw: parts }, ...written) }
}

/** Escapes control characters, direction marks and similar code points, so that they show as text. */
export function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** Escapes markup and carriage returns for XML 1.0 and HTML, and replaces characters that XML forbids with U+FFFD. */
export function escaped(text: string): string {
  const allowed = text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that XML forbids.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    '\r': '&#13;',
  }
  return allowed.replaceAll(/[&<>"\r]/g, (character) => names[character] ?? character)
}
