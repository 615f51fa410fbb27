/** Renders Markdown in the data of a world, element by element: no markup of the text reaches the page. */
import { type MarkdownNode, markdownNodes } from '../shown/markdown.ts'
import { isAttachment } from './addresses.ts'
import { element, type Html, html } from './html.ts'

/** Renders Markdown as formatted text, or returns undefined if it is too long or too deep for that. */
export function proseHtml(text: string): Html | undefined {
  const nodes = markdownNodes(text, 2)
  return nodes && html`<div class="prose" dir="auto">${nodes.map(nodeHtml)}</div>`
}

/** Renders an element with all that it contains. */
export function nodeHtml(node: MarkdownNode): Html {
  if (typeof node === 'string') return html`${node}`
  const { tag, href, start } = node
  const content = node.children.map(nodeHtml)
  if (tag === 'br') return html`<br>`
  if (tag === 'hr') return html`<hr>`
  if (tag === 'ol' && start !== undefined) return html`<ol start="${start}">${content}</ol>`
  if (href === undefined) return element(tag, content)
  // A page loads no picture of another origin, which would learn who reads it.
  if (tag === 'img' && isAttachment(href)) return html`<img src="${href}" alt="${content}">`
  return html`<a href="${href}" rel="nofollow noreferrer">${content.some(({ text }) => text !== '') ? content : href}</a>`
}
