/** HTML by construction: templates escape every value that is not itself made by a template. */

/** Markup made by a template. Only this is written unescaped. */
export class Html {
  readonly text: string

  /** Only for use by templates. */
  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template; undefined and false produce nothing. */
export type Content = Html | string | number | undefined | false | readonly Content[]

/** Returns markup. Values may only be used between tags and inside quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.reduce((text, part, at) => text + written(values[at - 1]) + part))
}

/**
 * Returns a block of JSON that no browser runs and no text in it can end.
 * @param value plain data
 */
export function jsonBlock(value: unknown): Html {
  const text = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escaped)
  return new Html(`<script type="application/ld+json">${text}</script>`)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function written(content: Content): string {
  if (content === undefined || content === false) return ''
  if (content instanceof Html) return content.text
  if (Array.isArray(content)) return content.map(written).join('')
  return String(content)
    .toWellFormed()
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Matches control and other characters that neither HTML nor XML may hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
