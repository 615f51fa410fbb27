import sentences from './sentences.json' with { type: 'json' }

/** Version of the rule list that the checks belong to. */
export const RULES_VERSION: string = sentences.version

/** Returns the text of a rule, or an empty string for an unknown id. */
export function sentenceOf(rule: string): string {
  return (sentences as Readonly<Record<string, string>>)[rule] ?? ''
}
