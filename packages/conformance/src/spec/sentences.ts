/** The rules in the words of the specification, by their ids. */
import sentences from './sentences.json' with { type: 'json' }

/** Returns the sentence of a rule; empty for an unknown id. */
export function sentenceOf(rule: string): string {
  return (sentences as Readonly<Record<string, string>>)[rule] ?? ''
}
