/** Reads Markdown as a tree of elements, which pages and the explorer render with their own escaping. */
import MarkdownIt, { type Token } from 'markdown-it'

/** Maximum length of Markdown that is read, in UTF-16 code units. */
export const MOST_MARKDOWN = 50_000
/** Maximum number of elements and texts. Real texts of the maximum length have a tenth. */
const MOST_NODES = 20_000
/** Maximum nesting of lists and quotes, each item of a list being two levels. */
const MOST_LEVELS = 24

const TAGS = [
  ...['a', 'blockquote', 'br', 'code', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'img', 'li', 'ol'],
  ...['p', 'pre', 's', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
] as const

/** An element. Its tag is one of a fixed list, so that a renderer may write it unescaped. */
export interface MarkdownElement {
  readonly tag: string
  /**
   * Target of a link or address of a picture: an http, https or mailto URL, or a path that begins with a single `/`, of the
   * world's origin. Set for `a` and `img` only. The children of an `img` are its alternative text.
   */
  readonly href?: string
  /** First number of an `ol`, if it is not 1. */
  readonly start?: number
  /** Line of the fence, counted from 1. Set only for a `pre` whose fence says `view`, and which is in no list or quote. */
  readonly line?: number
  readonly children: MarkdownNode[]
}

/** An element, or text that a renderer must escape. */
export type MarkdownNode = string | MarkdownElement

/** Origin that no world has: paths keep it, and other addresses do not. */
const NOWHERE = 'https://nowhere.invalid'

/** Returns a link's target, normalized, or an empty string if it may not be followed. The text of such a link stays as it is. */
function targetOf(address: string): string {
  const url = URL.parse(address, NOWHERE)
  // A user name or password in a URL can disguise the host.
  if (url === null || url.username !== '' || url.password !== '') return ''
  if (url.origin === NOWHERE) {
    const path = url.href.slice(NOWHERE.length)
    // Two slashes, as of `/a/..//b`, would begin a host.
    return address.startsWith('/') && !path.startsWith('//') ? path : ''
  }
  return /^(?:https?|mailto):$/.test(url.protocol) ? url.href : ''
}

const reader = new MarkdownIt({ html: false, linkify: false, maxNesting: MOST_LEVELS })
reader.normalizeLink = targetOf
// The text of an automatic link is what is written, not a decoded form that may look like another host.
reader.normalizeLinkText = (text) => text
reader.validateLink = (target) => target !== ''

/**
 * Reads a Markdown text (CommonMark with tables and strikethrough). HTML in it is text. Its headings begin at level `top`.
 * Returns undefined if it is too long, too deep or has too many elements, so that it is shown unformatted, but whole.
 */
export function markdownNodes(text: string, top: number): readonly MarkdownNode[] | undefined {
  if (text.length > MOST_MARKDOWN) return undefined
  const blocks = reader.parse(text, {})
  // The reader leaves out what is nested deeper.
  if (blocks.some(({ level }) => level >= MOST_LEVELS - 1)) return undefined
  const tokens = blocks.flatMap((block) => (block.type === 'inline' ? (block.children ?? []) : [block]))
  if (tokens.length > MOST_NODES) return undefined
  const root: MarkdownNode[] = []
  const open = [root]
  for (const token of tokens) {
    const children = open.at(-1) ?? root
    if (token.nesting < 0) open.pop()
    else if (token.nesting === 0) children.push(leafOf(token))
    // A paragraph in a list without blank lines is hidden.
    else if (token.hidden) open.push(children)
    else {
      const element = elementOf(token, top)
      children.push(element)
      open.push(element.children)
    }
  }
  return root
}

function elementOf(token: Token, top: number): MarkdownElement {
  const [, level] = /^h([1-6])$/.exec(token.tag) ?? []
  const tag = level === undefined ? token.tag : `h${Math.min(6, Number(level) + top - 1)}`
  const start = Number(token.attrGet('start') ?? 1)
  return {
    tag: TAGS.find((known) => known === tag) ?? 'p',
    ...(tag === 'a' && { href: String(token.attrGet('href')) }),
    ...(start !== 1 && { start }),
    children: [],
  }
}

function leafOf(token: Token): MarkdownNode {
  const { type, content } = token
  switch (type) {
    case 'image':
      return { tag: 'img', href: String(token.attrGet('src')), children: [content] }
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return { tag: 'br', children: [] }
    case 'hr':
      return { tag: 'hr', children: [] }
    case 'code_inline':
      return { tag: 'code', children: [content] }
    case 'code_block':
    case 'fence': {
      const isView = token.info.trim() === 'view' && token.level === 0
      const line = isView && token.map && { line: token.map[0] + 1 }
      return { tag: 'pre', ...line, children: [{ tag: 'code', children: [content] }] }
    }
    default:
      return content
  }
}
