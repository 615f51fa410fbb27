/** The names of a world, as its operator gives them where the kit does not find them. */
import type { Path } from './json.ts'

/** Members of a world's documents by what they hold. A path into objects is written with dots: `page.data`. */
export interface Names {
  /** In a list: the array of entities. */
  readonly entities?: string
  /** In a list: the cursor of the next page. */
  readonly cursor?: string
  /** In an answer of the discovery action: the array of what was found. */
  readonly found?: string
  /** In an entity: its id. */
  readonly id?: string
  /** In an entity: its type. */
  readonly type?: string
  /** In the discovery document: the entity types. */
  readonly types?: string
  /** In the discovery document: the identifier of the world. */
  readonly world?: string
}

/** What can be named, in the order of a list, an entity and the document. */
export const NAMEABLE = ['entities', 'cursor', 'found', 'id', 'type', 'types', 'world'] as const

/** Reads `entities=page.data,cursor=after`. Throws TypeError for what is no such list. */
export function parseNames(text: string): Names {
  const pairs = text.split(',').map((pair) => {
    const [, key = '', path = ''] = /^([a-z]+)=(.+)$/.exec(pair.trim()) ?? []
    if (!NAMEABLE.some((one) => one === key))
      throw new TypeError(
        `Names are given as ${NAMEABLE[0]}=page.data,${NAMEABLE[1]}=after; this is none: ${pair}`,
      )
    return [key, path]
  })
  return Object.fromEntries(pairs)
}

/** The path that a name stands for; undefined where none was given. */
export function pathOf(name: string | undefined): Path | undefined {
  return name?.split('.')
}
