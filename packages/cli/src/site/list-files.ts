/** A type's list as files: pages of several sizes, each named by the cursor that leads to it. */
import { hash } from 'node:crypto'
import type { StoredEntity } from '@worldwright/core/store'

/** Page sizes. A client that asks for another number gets the next smaller size. */
export const PAGE_SIZES = [1, 10, 100] as const

/** The name of a list's first page, which no cursor leads to. */
export const FIRST_PAGE = 'first'

/** A page of a list: `name` is unique among the pages of its size. */
export interface ListPage {
  readonly size: number
  readonly name: string
  readonly json: string
}

/** Digits of a cursor that hold the page number. */
const NUMBER_DIGITS = 7
/** Check digits, derived from the page's first entity: after a change a cursor finds no page instead of a wrong one. */
const CHECK_DIGITS = 5

/** Collects the entities of one type, ascending by id, and yields each page as soon as its successor is known. */
export class ListPages {
  readonly #type: string
  readonly #total: number
  readonly #open = PAGE_SIZES.map((size) => ({ size, name: FIRST_PAGE, number: 1, entities: [] as string[] }))

  /** `total`: number of entities in the whole list. */
  constructor(type: string, total: number) {
    this.#type = type
    this.#total = total
  }

  /** Returns the page without entities, which holds only the total. */
  empty(): ListPage {
    return { size: 0, name: FIRST_PAGE, json: pageJson([], undefined, 0, this.#total) }
  }

  /** Adds the next entity, and yields the pages that are now complete. */
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

  /** Yields the last page of each size; without entities, an empty first one. */
  *end(): Generator<ListPage> {
    for (const page of this.#open) yield this.#page(page, undefined)
  }

  #page(page: { size: number; name: string; entities: string[] }, next: string | undefined): ListPage {
    const { size, name, entities } = page
    return { size, name, json: pageJson(entities, next, size, this.#total) }
  }
}

/** Digits only: a file server's rewrite rule can match them even if they are percent-encoded. */
function cursorOf(type: string, number: number, firstId: string): string {
  if (String(number).length > NUMBER_DIGITS) throw new RangeError(`${type} is too long for a list of files`)
  const check = hash('sha256', `${type} ${firstId}`, 'buffer').readUInt32BE(0) % 10 ** CHECK_DIGITS
  return String(number).padStart(NUMBER_DIGITS, '0') + String(check).padStart(CHECK_DIGITS, '0')
}

function pageJson(entities: readonly string[], next: string | undefined, limit: number, total: number) {
  const cursor = next === undefined ? '' : `"nextCursor":"${next}",`
  return `{"entities":[${entities.join(',')}],${cursor}"limit":${limit},"total":${total}}`
}
