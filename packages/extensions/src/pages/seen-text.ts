/** Texts of entities where a page needs something to be seen. */
import type { Entity, EntityTypeDescription } from '@worldwright/client/protocol'
import type { WorldDescription } from '@worldwright/core'

/** Anything but white space, controls and what browsers draw nothing for. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The text; undefined if there is none, or nothing of it would be seen. */
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

/** What links and headings call a type: its title, or its own name where nothing of the title would be seen. */
export function typeName({ title, type }: Pick<EntityTypeDescription, 'title' | 'type'>): string {
  return seenText(title) ?? type
}

/** A count in digits, grouped as the English words of the pages have it: `1,200`. */
export function countText(count: number): string {
  return count.toLocaleString('en')
}

/** A world's description, without texts of which nothing would be seen. */
export function seenWords(world: WorldDescription): WorldDescription {
  const said = ['name', 'description', 'license', 'attribution'] as const
  const blank = new Set<string>(said.filter((name) => seenText(world[name]) === undefined))
  const kept = Object.entries(world).filter(([name]) => !blank.has(name))
  return Object.fromEntries(kept) as unknown as WorldDescription
}
