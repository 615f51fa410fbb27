/** What of an entity can be found by text. */
import type { Entity, JsonValue } from '@worldwright/client/protocol'

/** An entity's text by how much a match in it says. Strings within a field are separated by line feeds. */
export interface SearchText {
  readonly title: string
  /** The strings in `attributes.aliases`: one, or a list of them. */
  readonly aliases: string
  readonly summary: string
  /** Every other string and number anywhere in the attributes; names of members are not text. */
  readonly body: string
}

/** Deeper values are kept and served, but not searched: it bounds the recursion. */
const MAX_DEPTH = 64

/** The searchable text of an entity. Fields without text are empty. */
export function searchTextOf({ title = '', summary = '', attributes }: Entity): SearchText {
  const aliases: string[] = []
  const body: string[] = []
  for (const [name, value] of Object.entries(attributes)) {
    collect(value, name === 'aliases' ? aliases : body, body, 1)
  }
  return { title, aliases: aliases.join('\n'), summary, body: body.join('\n') }
}

/** Collects text: strings of this value, or directly in it, into `near`; all else into `rest`. */
function collect(value: JsonValue, near: string[], rest: string[], depth: number): void {
  if (typeof value === 'string') near.push(value)
  else if (typeof value === 'number') rest.push(String(value))
  else if (value !== null && typeof value === 'object' && depth < MAX_DEPTH) {
    const listed = Array.isArray(value) ? near : rest
    for (const member of Object.values(value)) {
      collect(member, typeof member === 'string' ? listed : rest, rest, depth + 1)
    }
  }
}
