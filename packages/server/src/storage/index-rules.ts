/** How attributes are indexed, and the text that a store keeps of it. */

/** How one attribute is indexed, if that is not as any other. */
export interface AttributeRule {
  /**
   * How much its text counts in searches: 1 as ordinary text, 2 twice as much, 0 not at all. Absent: as it does by itself,
   * `aliases` as names, all else 1.
   */
  readonly weight?: number
  /** Its values are left out of the index: no condition, order or facet sees them, and what it refers to is not pointed at. */
  readonly index?: false
}

/** How attributes are indexed, by type and attribute; those that are not named, like any other. */
export type IndexRules = Readonly<Record<string, Readonly<Record<string, AttributeRule>>>>

/** The metadata that holds it. */
export const RULES_KEY = 'index-rules'

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
