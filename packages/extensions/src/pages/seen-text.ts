/** Fallbacks for entity text that would be invisible on a page. */
import type { Entity, EntityTypeDescription } from '@worldwright/client/protocol'
import type { WorldDescription } from '@worldwright/core'

/** Matches a visible character: neither white space, nor a control character, nor one that browsers do not draw. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns `text`, or undefined if it is absent or has no visible character. */
export function seenText(text: string | undefined): string | undefined {
  return text !== undefined && SEEN.test(text) ? text : undefined
}

/** Truncates `text` to at most `most` UTF-16 code units, including an ellipsis. Never splits a surrogate pair. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns the display name of an entity: its title if it has a visible character, otherwise its id. */
export function nameOf({ title, id }: Pick<Entity, 'title' | 'id'>): string {
  return seenText(title) ?? id
}

/** Returns the display name of a type: its title if it has a visible character, otherwise its name. */
export function typeName({ title, type }: Pick<EntityTypeDescription, 'title' | 'type'>): string {
  return seenText(title) ?? type
}

/** Formats a count with grouped digits: `1,200`. */
export function countText(count: number): string {
  return count.toLocaleString('en')
}

/** Returns a world's description without the members whose text is invisible. */
export function seenWords(world: WorldDescription): WorldDescription {
  const said = ['name', 'description', 'license', 'attribution'] as const
  const blank = new Set<string>(said.filter((name) => seenText(world[name]) === undefined))
  const kept = Object.entries(world).filter(([name]) => !blank.has(name))
  return Object.fromEntries(kept) as unknown as WorldDescription
}
