/** Fallbacks for texts of entities that would be invisible on a page. */
import type { Entity, EntityTypeDescription } from '@worldwright/client/protocol'
import type { WorldDescription } from '@worldwright/core'

/** Matches any visible character: not white space, a control or a character that browsers do not draw. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns the text; undefined if there is none, or it has no visible character. */
export function seenText(text: string | undefined): string | undefined {
  return text !== undefined && SEEN.test(text) ? text : undefined
}

/** Returns the text; if it is longer than `most` UTF-16 units, cuts it to fit with an ellipsis, never inside a character. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns the display name of an entity: its title, or its id if the title has no visible character. */
export function nameOf({ title, id }: Pick<Entity, 'title' | 'id'>): string {
  return seenText(title) ?? id
}

/** Returns the display name of a type: its title, or its own name if the title has no visible character. */
export function typeName({ title, type }: Pick<EntityTypeDescription, 'title' | 'type'>): string {
  return seenText(title) ?? type
}

/** Formats a count in digits, grouped as in English: `1,200`. */
export function countText(count: number): string {
  return count.toLocaleString('en')
}

/** Returns a world's description without its invisible texts. */
export function seenWords(world: WorldDescription): WorldDescription {
  const said = ['name', 'description', 'license', 'attribution'] as const
  const blank = new Set<string>(said.filter((name) => seenText(world[name]) === undefined))
  const kept = Object.entries(world).filter(([name]) => !blank.has(name))
  return Object.fromEntries(kept) as unknown as WorldDescription
}
