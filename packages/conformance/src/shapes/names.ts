/** Names of a world's members, given by its operator if the kit does not find them. */
import type { Path } from './json.ts'

/**
 * Members of a world's documents by their content. A path into objects is written with dots: `page.data`; the empty
 * path is the whole answer.
 */
export interface Names {
  /** In a list: the array of entities. */
  readonly entities?: string
  /** In a list: the cursor of the next page. */
  readonly cursor?: string
  /** In an answer of the discovery action: the array of the found entities. */
  readonly results?: string
  /** In an item of a list, and in the answer to a request for one: the entity. */
  readonly entity?: string
  /** In an entity: its id. */
  readonly id?: string
  /** In an entity: its type. */
  readonly type?: string
  /** In an entity: its title. */
  readonly title?: string
  /** In the discovery document: the entity types. */
  readonly entityTypes?: string
  /** In the discovery document: the actions. */
  readonly actions?: string
  /** In the discovery document: the identifier of the world. */
  readonly worldId?: string
}

/** Members of `Names`. */
const NAMEABLE = /^(entities|cursor|results|entity|id|type|title|entityTypes|actions|worldId)$/
/** Names that other commands take, but no check needs. */
const UNUSED = /^(total|summary|attributes|worldName)$/

/** Parses `entities=page.data,cursor=after`. Throws TypeError if the text is no such list. */
export function parseNames(text: string): Names {
  const pairs = text.split(',').map((pair) => {
    const [, key = '', path = ''] = /^([a-zA-Z]+)=(.*)$/.exec(pair.trim()) ?? []
    if (!NAMEABLE.test(key) && !UNUSED.test(key))
      throw new TypeError(`Names are given like entities=page.data,cursor=after; this is none: ${pair}`)
    return [key, path] as const
  })
  return Object.fromEntries(pairs.filter(([key]) => NAMEABLE.test(key)))
}

/** Returns the path that a name stands for; undefined if none was given. */
export function pathOf(name: string | undefined): Path | undefined {
  return name === '' ? [] : name?.split('.')
}
