/** Stories: Markdown texts in which views and entities of a world stand between paragraphs. */
import { type EntityRef, idFault, typeFault } from '@worldwright/client/protocol'
import { type MarkdownNode, MOST_MARKDOWN, markdownNodes } from '../shown/markdown.ts'

/** Path of stories, before the name. */
export const STORY_PATH = '/s/'

/** Maximum number of views and entities in a story. Each view is a query of its page. */
const MOST_BLOCKS = 20
/** Maximum length of a description, in UTF-16 code units, as in search results and previews. */
const MOST_DESCRIBED = 300

/** A story, as plain data. */
export interface Story {
  /** Last component of its path, decoded. */
  readonly name: string
  readonly title: string
  readonly description?: string | undefined
  /** True if the home page names it. */
  readonly isFeatured?: boolean | undefined
  readonly parts: readonly StoryPart[]
}

/** Part of a story: text, or a block that shows a view or an entity. Lines of the text count from 1. */
export type StoryPart = { readonly text: MarkdownNode } | StoryBlock

/** Block of a story, with the line of its fence. `query` is that of the view, without the question mark. */
export type StoryBlock =
  | { readonly line: number; readonly type: string; readonly query: string }
  | { readonly line: number; readonly entity: EntityRef }

/** A fault in the text of a story. */
export interface StoryFault {
  readonly line: number
  readonly message: string
}

/** Matches the address of a view (type and query) or of an entity (type and id), with their components encoded. */
const ADDRESS = /^(?:\/v\/([^/?#\s]+)(?:\?([^#\s]*))?|(?:\/t\/)?([^/?#\s]+)\/([^?#\s]+))$/

/**
 * Reads a story. Unless `head` names them, the title is the first heading, which leaves the text if it begins it; and the
 * description is the first paragraph.
 */
export function readStory(
  text: string,
  head: Pick<Partial<Story>, 'title' | 'description' | 'isFeatured'>,
): Omit<Story, 'name'> | readonly StoryFault[] {
  const nodes = markdownNodes(text, 1)
  if (nodes === undefined)
    return [{ line: 1, message: `is longer than ${MOST_MARKDOWN} characters, or nested too deeply` }]
  const first = (tag: RegExp) => nodes.find((node) => typeof node !== 'string' && tag.test(node.tag))
  const heading = head.title === undefined ? first(/^h\d$/) : undefined
  const title = head.title ?? (heading && textOf(heading))
  const paragraph = first(/^p$/)
  const faults: StoryFault[] = title ? [] : [{ line: 1, message: 'has no title: begin with # and the title' }]
  const parts = (nodes[0] === heading ? nodes.slice(1) : nodes).map((node) => partOf(node, faults))
  const extra = parts.filter((part) => 'line' in part)[MOST_BLOCKS]
  if (extra) faults.push({ line: extra.line, message: `has more than ${MOST_BLOCKS} views and entities` })
  const description = head.description ?? (paragraph && textOf(paragraph).slice(0, MOST_DESCRIBED))
  return faults.length > 0 ? faults : { ...head, title: String(title), description, parts }
}

function partOf(node: MarkdownNode, faults: StoryFault[]): StoryPart {
  // The title alone is of the first level.
  if (typeof node === 'string' || node.line === undefined)
    return { text: typeof node !== 'string' && node.tag === 'h1' ? { ...node, tag: 'h2' } : node }
  const { line } = node
  const block = blockOf(textOf(node).trim(), line)
  if (block === undefined)
    faults.push({ line, message: 'a view is an address of this world: /v/TYPE?…, TYPE/ID or /t/TYPE/ID' })
  return block ?? { text: node }
}

/** Returns the view or the entity at an address of the world. Undefined if it is none. */
export function blockOf(address: string, line: number): StoryBlock | undefined {
  const [, viewed, query = '', of = '', id = ''] = ADDRESS.exec(address) ?? []
  try {
    const type = decodeURIComponent(viewed ?? of)
    const entity = { type, id: decodeURIComponent(id) }
    if (typeFault(type) !== undefined || (viewed === undefined && idFault(entity.id) !== undefined))
      return undefined
    return viewed === undefined ? { line, entity } : { line, type, query }
  } catch {
    return undefined
  }
}

function textOf(node: MarkdownNode): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('')
}
