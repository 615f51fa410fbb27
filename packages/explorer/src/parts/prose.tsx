/** Markdown in a world's data as formatted text. */
import { type MarkdownElement, type MarkdownNode, markdownNodes } from '@worldwright/extensions/markdown'
import { h } from 'preact'
import { useMemo } from 'preact/hooks'
import { pictureFrom, safeHref } from '../text/links.ts'
import { Out } from './link.tsx'
import { Photo } from './photo.tsx'
import './prose.css'
import { Pieces, Text } from './text.tsx'
import { useOpenWorld } from './world-context.ts'

/** Markdown as formatted text, or unformatted if it is too long or too deep. Its headings are below those of the page. */
export function Prose({ text }: { text: string }) {
  const nodes = useMemo(() => markdownNodes(text, 4), [text])
  if (nodes === undefined) return <Text text={text} />
  return (
    <div class="prose" dir="auto">
      <Nodes nodes={nodes} />
    </div>
  )
}

function Nodes({ nodes }: { nodes: readonly MarkdownNode[] }) {
  return (
    <>
      {nodes.map((node, index) =>
        // Blanks between elements need no names.
        typeof node === 'string' ? (
          <Pieces key={index} text={node} whole={`${node}.`} />
        ) : (
          <Element key={index} node={node} />
        ),
      )}
    </>
  )
}

function Element({ node }: { node: MarkdownElement }) {
  const { tag, href, start, children } = node
  const { origins } = useOpenWorld().profile
  if (href === undefined) return h(tag, { start }, children.length > 0 && <Nodes nodes={children} />)
  const label = textIn(children) || href
  const address = href.startsWith('/') ? `${origins[0] ?? ''}${href}` : href
  const picture = tag === 'img' ? pictureFrom(address, origins, true) : undefined
  if (picture !== undefined) return <Photo picture={picture} label={label} />
  const target = safeHref(address)
  return target === undefined ? <Pieces text={label} /> : <Out href={target} text={label} />
}

function textIn(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textIn(node.children))).join('')
}
