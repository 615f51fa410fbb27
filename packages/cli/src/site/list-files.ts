/** A type's list as files: pages of several sizes, each named by the cursor that leads to it. */
import { hash } from 'node:crypto'
import type { StoredEntity } from '@worldwright/core/store'

/** Sizes of pages. A reader that wants another number gets the next smaller size. */
export const PAGE_SIZES = [1, 10, 100] as const

/** The name of a list's first page, which no cursor leads to. */
export const FIRST_PAGE = 'first'

/** A page of a list: `name` is unique among the pages of its size. */
export interface ListPage {
  readonly size: number
  readonly name: string
  readonly json: string
}

/** Digits of a cursor that say which page it is. */
const NUMBER_DIGITS = 7
/** Digits that follow from where the page begins: after a change the cursor leads nowhere, and not to a wrong place. */
const CHECK_DIGITS = 5

/** Collects the entities of one type, ascending by id, and gives each page as soon as it is known what follows it. */
export class ListPages {
  readonly #type: string
  readonly #total: number
  readonly #open = PAGE_SIZES.map((size) => ({ size, name: FIRST_PAGE, number: 1, entities: [] as string[] }))

  /** `total`: of the whole list. */
  constructor(type: string, total: number) {
    this.#type = type
    this.#total = total
  }

  /** The page without entities, which only says how many there are. */
  empty(): ListPage {
    return { size: 0, name: FIRST_PAGE, json: pageJson([], undefined, 0, this.#total) }
  }

  /** Adds the next entity. */
  *add({ id, json }: StoredEntity): Generator<ListPage> {
    for (const page of this.#open) {
      if (page.entities.length === page.size) {
        const next = cursorOf(this.#type, page.number + 1, id)
        yield this.#page(page, next)
        Object.assign(page, { name: next, number: page.number + 1, entities: [] })
      }
      page.entities.push(json)
    }
  }

  /** The last page of each size; where there are no entities, an empty first one. */
  *end(): Generator<ListPage> {
    for (const page of this.#open) yield this.#page(page, undefined)
  }

  #page(page: { size: number; name: string; entities: string[] }, next: string | undefined): ListPage {
    const { size, name, entities } = page
    return { size, name, json: pageJson(entities, next, size, this.#total) }
  }
}

/** Digits alone: a rewrite of a file server can read them also where they come percent-encoded. */
function cursorOf(type: string, number: number, firstId: string): string {
  if (String(number).length > NUMBER_DIGITS) throw new RangeError(`${type} is too long for a list of files`)
  const check = hash('sha256', `${type} ${firstId}`, 'buffer').readUInt32BE(0) % 10 ** CHECK_DIGITS
  return String(number).padStart(NUMBER_DIGITS, '0') + String(check).padStart(CHECK_DIGITS, '0')
}

function pageJson(entities: readonly string[], next: string | undefined, limit: number, total: number) {
  const cursor = next === undefined ? '' : `"nextCursor":"${next}",`
  return `{"entities":[${entities.join(',')}],${cursor}"limit":${limit},"total":${total}}`
}
