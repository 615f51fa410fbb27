/** Reads names in a question: of referenced entities, of values, and of places. Every reading is looked up in the world. */
import { BODIES, bodyMemberOf, bodyOf, member, placeOf } from '@worldwright/extensions/shown'
import type { Near } from '@worldwright/extensions/views'
import { type Askable, isCounted } from '../question/askable.ts'
import type { Cursor } from './cursor.ts'
import type { Lookup } from './lookup.ts'
import type { Valued } from './schema-words.ts'

/** Maximum number of names that are looked up for a question. */
const MOST_LOOKUPS = 6

/** Names in the words of a question. Each method begins at the cursor, and moves it behind the name if there is one. */
export class Names {
  readonly #next: Cursor
  readonly #lookup: Lookup
  #lookups = 0

  constructor(next: Cursor, lookup: Lookup) {
    this.#next = next
    this.#lookup = lookup
  }

  /** Returns what the longest name means: entities to which one of the properties refers, and values of one of them. */
  async valued(among: readonly Askable[], byEnd: boolean): Promise<readonly Valued[]> {
    this.#next.skipFillers()
    const { words, at, schemas, head } = this.#next
    const named = this.#next.isHead(at) ? undefined : schemas.typesAt(words, at)
    const [only, second] = named?.found ?? []
    const restricted = second === undefined ? only : undefined
    if (restricted !== undefined) this.#next.at += named?.length ?? 0
    const references = among.filter(({ kind }) => kind === 'reference')
    const texts = among.filter((one) => restricted === undefined && one.kind === 'text' && isCounted(one))
    const types = [...new Set(references.flatMap(({ refersTo = [] }) => refersTo))].filter(
      (type) => restricted === undefined || type === restricted.type,
    )
    return this.#longest(async (text) => {
      const [entities, values] = await Promise.all([
        types.length > 0 ? this.#lookup.entities(text, types) : [],
        this.#lookup.values(text, head.type.type, texts, byEnd),
      ])
      const referring = (type: string) => references.filter(({ refersTo }) => refersTo?.includes(type))
      const referred = entities.flatMap(({ type, id }) =>
        referring(type).map((one): Valued => [one, `${type}/${id}`]),
      )
      return [...referred, ...values]
    })
  }

  /** Returns the location of the only entity with the name, if it is on the same body as the entities that are asked for. */
  async near(): Promise<Near | undefined> {
    this.#next.skipFillers()
    const { head, askables, schemas } = this.#next
    const { schema } = head.type
    const [askable, other] = askables.filter(({ kind }) => kind === 'place')
    const hasBody = BODIES.some((name) => member(member(schema, 'properties'), name) !== undefined)
    if (askable === undefined || other !== undefined || hasBody) return undefined
    const placed = schemas.types.filter((type) =>
      schemas.of(type).askables.some(({ kind }) => kind === 'place'),
    )
    const types = placed.map(({ type }) => type)
    const [entity, second] = await this.#longest((text) => this.#lookup.entities(text, types))
    const place = placeOf(entity?.attributes)
    const at = placed.find(({ type }) => type === entity?.type)?.schema
    const isSameBody = !bodyMemberOf(entity?.attributes) && bodyOf({}, at) === bodyOf({}, schema)
    return second === undefined && place && isSameBody ? { key: askable.key, place } : undefined
  }

  async #longest<T>(find: (text: string) => Promise<readonly T[]>): Promise<readonly T[]> {
    for (const end of this.#next.ends().slice(0, MOST_LOOKUPS - this.#lookups)) {
      this.#lookups += 1
      const found = await find(this.#next.textTo(end))
      if (found.length === 0) continue
      this.#next.at = end
      return found
    }
    return []
  }
}
