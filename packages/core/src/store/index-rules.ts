/** The layer of index rules: how attributes are indexed, as a named value that engines with an index read. */
import type { AttributeRule, CallOptions, IndexRules, Store } from './contract.ts'
import { namedValue } from './values.ts'

/** The value that holds it. */
export const RULES_KEY = 'index-rules'

/** The rules that hold now; no members where none were set. A copy needs them to answer alike. */
export async function indexRules(store: Pick<Store, 'values'>, options?: CallOptions): Promise<IndexRules> {
  return rulesOfText((await namedValue(store, RULES_KEY, options))?.value)
}

/**
 * Lets attributes be indexed as these rules say, from now on, durably, also for what is there already: where they differ from
 * those before, the search index is built again in one step, which blocks the process. The same rules again are no write.
 */
export async function setIndexRules(
  store: Pick<Store, 'write'>,
  rules: IndexRules,
  options?: CallOptions,
): Promise<void> {
  await store.write([], { ...options, values: { [RULES_KEY]: textOfRules(rules) } })
}

/** Rules as a store keeps them: equal ones are equal texts; undefined if no attribute has one. */
export function textOfRules(rules: IndexRules): string | undefined {
  const types = sorted(rules)
    .map(
      ([type, attributes]) =>
        [type, sorted(attributes).flatMap(([name, rule]) => ruled(name, rule))] as const,
    )
    .filter(([, attributes]) => attributes.length > 0)
    .map(([type, attributes]) => [type, Object.fromEntries(attributes)] as const)
  return types.length > 0 ? JSON.stringify(Object.fromEntries(types)) : undefined
}

/** The rules that a text holds. */
export function rulesOfText(text: string | undefined): IndexRules {
  return text === undefined ? {} : JSON.parse(text)
}

/** An attribute with its rule, the members of which are always in the same order; none where it says nothing. */
function ruled(name: string, { weight, index }: AttributeRule): [string, AttributeRule][] {
  if (weight === undefined && index === undefined) return []
  return [[name, { ...(weight !== undefined && { weight }), ...(index === false && { index }) }]]
}

function sorted<T>(members: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(members).sort(([left], [right]) => (left < right ? -1 : 1))
}
