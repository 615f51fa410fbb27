/** Texts of entities where a page needs something to be seen. */
import type { Entity } from '@worldwright/client/protocol'

/** Anything but white space, controls and what browsers draw nothing for. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The text; undefined where there is none, or nothing of it would be seen. */
export function seenText(text: string | undefined): string | undefined {
  return text !== undefined && SEEN.test(text) ? text : undefined
}

/**
 * The text; where it is longer than `most` UTF-16 units, what of it fits with an ellipsis behind it, never half a character.
 */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** What links and headings call an entity: its title, or its id where nothing of the title would be seen. */
export function nameOf({ title, id }: Pick<Entity, 'title' | 'id'>): string {
  return seenText(title) ?? id
}
