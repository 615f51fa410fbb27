/** Looks up the names in a question: titles and aliases of entities, and values of text properties. */
import type { Entity, World } from '@worldwright/client'
import { isObject, NAMES } from '@worldwright/extensions/shown'
import { propertyOf, textOfValue } from '@worldwright/extensions/views'
import { fold, tokens } from '@worldwright/search/lexicon'
import { nameOf } from '../data/entity-name.ts'
import type { Askable } from '../question/askable.ts'
import { ask } from '../question/question.ts'
import { discover } from '../world/discover.ts'
import type { Valued } from './schema-words.ts'

/** Answers for the names in a question. Several answers mean that a name is ambiguous. */
export type Lookup = ReturnType<typeof lookupIn>

/** Maximum number of properties whose values are looked up, and of values of each. */
const MOST_FACETS = 8
const MOST_VALUES = 50
/** Number of hits among which a title is looked for. The search ranks exact titles first. */
const HITS = 10

/** Returns a lookup in a world. It rejects as the requests do. */
export function lookupIn(world: World, signal: AbortSignal) {
  return {
    /** Returns the entities of some types whose title or alias is `text`. */
    async entities(text: string, types: readonly string[]): Promise<readonly Entity[]> {
      const { entities } = await discover(world, { text, types: [...types], limit: HITS }, signal)
      return entities.filter((entity) => namesOf(entity).some((name) => spelt(name) === spelt(text)))
    },
    /**
     * Returns the values of properties of a type that are `text`. If there are none and `byEnd` is set, returns those that end
     * with it, as `Ursula K. Le Guin` ends with `Le Guin`.
     */
    async values(
      text: string,
      type: string,
      askables: readonly Askable[],
      byEnd: boolean,
    ): Promise<readonly Valued[]> {
      if (askables.length === 0 || askables.length > MOST_FACETS) return []
      const facets = askables.map(({ key }) => ({
        property: propertyOf(key),
        kind: 'text',
        limit: MOST_VALUES,
      }))
      const answer = await ask(world, { types: [type], text, facets, limit: 0 }, { signal })
      const values = askables.flatMap((askable, index) =>
        (answer.facets[index]?.buckets ?? []).map(({ value }): Valued => [askable, textOfValue(value)]),
      )
      const exact = values.filter(([, value]) => spelt(value) === spelt(text))
      // Values beyond the listed ones may end with the name, too.
      const isCut = answer.partial || answer.facets.some(({ more, partial }) => more || partial)
      if (exact.length > 0 || !byEnd || isCut) return exact
      return values.filter(([, value]) => spelt(value).endsWith(` ${spelt(text)}`))
    },
  }
}

/** Returns the words of a name. They are equal for names that differ only in case, accents or punctuation. */
export function spelt(name: string): string {
  const words = tokens(name).map(({ text }) => text)
  return words.join(' ') || fold(name)
}

function namesOf(entity: Entity): string[] {
  const attributes = isObject(entity.attributes) ? Object.entries(entity.attributes) : []
  const aliases = attributes.flatMap(([name, value]) => (NAMES.test(name) ? [value].flat() : []))
  return [nameOf(entity), ...aliases.filter((alias) => typeof alias === 'string')]
}
