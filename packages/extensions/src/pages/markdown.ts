/** Pages as compact Markdown, for agents: the same content, with its markup translated. */
import { UNSEEN } from '@worldwright/entities/unseen-text'
import { MARKDOWN_ENDING } from './addresses.ts'
import { type Html, html } from './html.ts'

/** Media type of Markdown pages. */
export const MARKDOWN_TYPE = 'text/markdown'

/** Element of a page. Only the tags of this folder's templates occur. */
interface Element {
  readonly tag: string
  readonly href: string
  readonly children: (Element | string)[]
}

/** Returns a page with its title as Markdown. Links to pages lead to Markdown again. */
export function markdownText(title: string, body: Html): string {
  const blocks = parsed(body.text).map((block) => {
    if (typeof block === 'string' || (block.tag !== 'ul' && block.tag !== 'dl')) {
      const heading = typeof block !== 'string' && block.tag === 'h2' ? '## ' : ''
      return heading + atStart(inline(block))
    }
    return listed(block, '').slice(1)
  })
  return `${[`# ${inline(html`${title}`.text)}`, ...blocks].filter((text) => text !== '').join('\n\n')}\n`
}

function parsed(text: string): (Element | string)[] {
  const root: Element = { tag: '', href: '', children: [] }
  const open = [root]
  for (const [, end, tag = '', attributes = '', words] of text.matchAll(
    /<(\/?)([a-z0-9]+)([^>]*)>|([^<]+)/g,
  )) {
    const { children } = open.at(-1) ?? root
    if (words !== undefined) children.push(words)
    else if (end !== '') open.pop()
    else if (tag !== 'img') {
      const element = { tag, href: /href="([^"]*)"/.exec(attributes)?.[1] ?? '', children: [] }
      children.push(element)
      open.push(element)
    }
  }
  return root.children
}

/** Returns the items of a list, each on a line of its own. */
function listed({ children }: Element, indent: string): string {
  return children
    .filter((child) => typeof child !== 'string')
    .map((child) => {
      if (child.tag === 'dd') return contentOf(child, indent)
      const text = child.tag === 'dt' ? `${inline(child)}: ` : contentOf(child, indent)
      return `\n${indent}- ${atStart(text)}`
    })
    .join('')
}

/** Returns the content of an item: plain lists in its line, separated by semicolons, and others below it. */
function contentOf({ children }: Element, indent: string): string {
  return children
    .map((child) => {
      if (!isList(child)) return inline(child)
      const isPlain = !child.children.some((item) => typeof item !== 'string' && item.children.some(isList))
      return isPlain && child.tag === 'ul'
        ? child.children.map(inline).join('; ')
        : listed(child, `${indent}  `)
    })
    .join('')
}

function isList(node: Element | string): node is Element {
  return typeof node !== 'string' && (node.tag === 'ul' || node.tag === 'dl')
}

function inline(node: Element | string): string {
  if (typeof node === 'string') return escaped(node)
  const text = node.children
    .map(inline)
    .join(node.tag === 'nav' ? ' ' : '')
    .trim()
  if (node.tag !== 'a') return text
  const path = unquoted(node.href.replaceAll('&amp;', '&')).replace(/[()\\]/g, percentEncoded)
  return `[${text}](${/^\/(?:t|lists)\//.test(path) ? path + MARKDOWN_ENDING : path})`
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

/** Escapes the text of a template, in which `<`, `>` and `&` are escaped already, for Markdown. */
function escaped(text: string): string {
  return unquoted(text.replace(/\s+/g, ' '))
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replace(/[\\`*_[\]~#]/g, '\\$&')
}

function unquoted(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
}

/** Escapes what would begin a list at the beginning of a line. */
function atStart(text: string): string {
  return text.replace(/^ +/, '').replace(/^(\d*)([-+.)])/, '$1\\$2')
}
