/** Member names of a world, which its operator can give if the kit does not recognise them. */
import type { Path } from '../json/json.ts'

/**
 * Paths of members in the world's responses, keyed by meaning. A dot leads into a nested member, as in `page.data`. The
 * empty path denotes the whole response.
 */
export interface Names {
  /** Array of entities in a list. */
  readonly entities?: string
  /** Cursor of the next page in a list. */
  readonly cursor?: string
  /** Array of entities in a response of the discovery action. */
  readonly results?: string
  /** Entity in a list entry, and in the response to a request for a single entity. */
  readonly entity?: string
  /** Id of an entity. */
  readonly id?: string
  /** Type of an entity. */
  readonly type?: string
  /** Title of an entity. */
  readonly title?: string
  /** Entity types in the discovery document. */
  readonly entityTypes?: string
  /** Actions in the discovery document. */
  readonly actions?: string
  /** Identifier of the world in the discovery document. */
  readonly worldId?: string
}

/** Keys of `Names` that an option can set. */
const NAMEABLE = /^(entities|cursor|results|entity|id|type|title|entityTypes|actions|worldId)$/
/** Keys that other commands use. They are accepted here but have no effect. */
const UNUSED = /^(total|summary|attributes|worldName)$/

/** Parses names such as `entities=page.data,cursor=after`. Throws TypeError for an unknown key or any other form. */
export function parseNames(text: string): Names {
  const pairs = text.split(',').map((pair) => {
    const [, key = '', path = ''] = /^([a-zA-Z]+)=(.*)$/.exec(pair.trim()) ?? []
    if (!NAMEABLE.test(key) && !UNUSED.test(key))
      throw new TypeError(`Names are given like entities=page.data,cursor=after; this is none: ${pair}`)
    return [key, path] as const
  })
  return Object.fromEntries(pairs.filter(([key]) => NAMEABLE.test(key)))
}

/** Splits a dotted name into a path. Returns undefined for undefined. */
export function pathOf(name: string | undefined): Path | undefined {
  return name === '' ? [] : name?.split('.')
}
