/** Description of a world by the parts that Level 1 leaves open, for tests of all readers. */
import type { Thing } from './things.fixture.ts'

/** A page to write: its entities, and its place in the list. */
export interface ShapePage {
  /** API of the world, and URL of the list without parameters. */
  readonly api: string
  readonly url: string
  readonly things: readonly Thing[]
  /** Number of the page, beginning at 1. */
  readonly number: number
  /** Number of entities before the next page, if there is one. */
  readonly next: number | undefined
  /** Maximum number of entities of a page, if the request named it. */
  readonly limit?: string | undefined
  readonly total: number
}

/** Form of a world: names and places of the parts that Level 1 leaves open. */
export interface Shape {
  readonly document: (types: readonly string[]) => object
  readonly page: (page: ShapePage) => unknown
  readonly headers?: (page: ShapePage) => Record<string, string>
  /** Query parameter that selects a page. Default: `cursor`. */
  readonly parameter?: string
  /** Returns the item of a list. */
  readonly item: (thing: Thing, api: string) => unknown
  /** Returns the response to a request for one entity. Default: the item. */
  readonly single?: (item: unknown) => unknown
}
