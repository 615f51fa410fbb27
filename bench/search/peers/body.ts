/** Text that peers index in addition to the title. */
import type { SearchDocument } from '../../../packages/search/src/port/document.ts'

/** Returns all text of a document except its title. */
export function bodyOf({ aliases, summary, text }: SearchDocument): string {
  return [...aliases, summary, text].filter((part) => part !== '').join('\n')
}
