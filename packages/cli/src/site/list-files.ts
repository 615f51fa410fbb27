/** Splits the list of a type into page files of several sizes, each named by its cursor. */
import { hash } from 'node:crypto'
import type { StoredEntity } from '@worldwright/core/store'

/** Available page sizes. Any other limit is rounded down to one of them. */
export const PAGE_SIZES = [1, 10, 100] as const

/** Name of the first page of a list, which has no cursor. */
export const FIRST_PAGE = 'first'

/** A page of a list. `name` is unique among the pages of the same size. */
export interface ListPage {
  readonly size: number
  readonly name: string
  readonly json: string
}

/** Number of digits for the page number in a cursor. */
const NUMBER_DIGITS = 7
/** Number of check digits in a cursor, derived from the page's first entity, so that a stale cursor finds no page. */
const CHECK_DIGITS = 5

/** Collects the entities of one type in ascending order of ids, and yields each page once its next cursor is known. */
export class ListPages {
  readonly #type: string
  readonly #total: number
  readonly #open = PAGE_SIZES.map((size) => ({ size, name: FIRST_PAGE, number: 1, entities: [] as string[] }))

  /** `total` is the number of entities in the whole list. */
  constructor(type: string, total: number) {
    this.#type = type
    this.#total = total
  }

  /** Returns the page for a limit of 0, which contains only the total. */
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

  /** Yields the last page of each size, which is an empty first page if the list is empty. */
  *end(): Generator<ListPage> {
    for (const page of this.#open) yield this.#page(page, undefined)
  }

  #page(page: { size: number; name: string; entities: string[] }, next: string | undefined): ListPage {
    const { size, name, entities } = page
    return { size, name, json: pageJson(entities, next, size, this.#total) }
  }
}

/** Returns a cursor of digits only. File servers can match it with a rewrite rule, as digits need no percent-encoding. */
function cursorOf(type: string, number: number, firstId: string): string {
  if (String(number).length > NUMBER_DIGITS) throw new RangeError(`${type} is too long for a list of files`)
  const check = hash('sha256', `${type} ${firstId}`, 'buffer').readUInt32BE(0) % 10 ** CHECK_DIGITS
  return String(number).padStart(NUMBER_DIGITS, '0') + String(check).padStart(CHECK_DIGITS, '0')
}

function pageJson(entities: readonly string[], next: string | undefined, limit: number, total: number) {
  const cursor = next === undefined ? '' : `"nextCursor":"${next}",`
  return `{"entities":[${entities.join(',')}],${cursor}"limit":${limit},"total":${total}}`
}
