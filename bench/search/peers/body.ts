/** What peers index beside the title. */
import type { SearchDocument } from '../../../packages/search/src/port/document.ts'

/** All text of a document but its title. */
export function bodyOf({ aliases, summary, text }: SearchDocument): string {
  return [...aliases, summary, text].filter((part) => part !== '').join('\n')
}
