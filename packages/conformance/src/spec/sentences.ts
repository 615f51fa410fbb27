/** Text of each rule of the specification, by rule id. */
import sentences from './sentences.json' with { type: 'json' }

/** Returns the text of a rule, or an empty string for an unknown id. */
export function sentenceOf(rule: string): string {
  return (sentences as Readonly<Record<string, string>>)[rule] ?? ''
}
