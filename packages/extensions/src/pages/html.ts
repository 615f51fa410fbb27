/** HTML templates that escape every value except markup from other templates. */

/** Markup produced by a template. It is the only content that is not escaped. */
export class Html {
  readonly text: string

  /** For use by templates only. */
  constructor(text: string) {
    this.text = text
  }
}

/** Value in a template. Undefined and false produce no output. */
export type Content = Html | string | number | undefined | false | readonly Content[]

/** Returns the markup of a template. Values may only appear between tags and inside quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.reduce((text, part, at) => text + written(values[at - 1]) + part))
}

/** Returns an element without attributes. @param tag one of the program's own tags, as it is not escaped */
export function element(tag: string, content: Content): Html {
  return new Html(`<${tag}>${written(content)}</${tag}>`)
}

/** Returns `value` as JSON in a script element that browsers do not run and no text can close. @param value plain data */
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
    .replace(UNWRITABLE, escaped)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Matches control and other characters that neither HTML nor XML may contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
