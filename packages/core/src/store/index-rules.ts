/** Index rules, which control how attributes are indexed. Stored as a named value that engines with an index read. */
import type { AttributeRule, CallOptions, IndexRules, Store } from './contract.ts'
import { namedValue } from './values.ts'

/** Name of the value that contains the index rules. */
export const RULES_KEY = 'index-rules'

/** Returns the current rules, or an empty object if no rules are set. A replica needs them to return the same results. */
export async function indexRules(store: Pick<Store, 'values'>, options?: CallOptions): Promise<IndexRules> {
  return rulesOfText((await namedValue(store, RULES_KEY, options))?.value)
}

/**
 * Stores the index rules, durably. They apply to existing entities, too: if they differ from the previous rules, the search
 * index is rebuilt in one step, which blocks the process. Setting the same rules again is not a write.
 */
export async function setIndexRules(
  store: Pick<Store, 'write'>,
  rules: IndexRules,
  options?: CallOptions,
): Promise<void> {
  await store.write([], { ...options, values: { [RULES_KEY]: textOfRules(rules) } })
}

/** Returns the canonical form of rules: equal rules give equal strings. Returns undefined if no attribute has a rule. */
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

/** Parses rules from their text form. */
export function rulesOfText(text: string | undefined): IndexRules {
  return text === undefined ? {} : JSON.parse(text)
}

/** Returns an attribute and its rule in canonical form, or an empty array if the rule is empty. */
function ruled(name: string, { weight, index }: AttributeRule): [string, AttributeRule][] {
  if (weight === undefined && index === undefined) return []
  return [[name, { ...(weight !== undefined && { weight }), ...(index === false && { index }) }]]
}

function sorted<T>(members: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(members).sort(([left], [right]) => (left < right ? -1 : 1))
}
