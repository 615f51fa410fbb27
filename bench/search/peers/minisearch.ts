/** MiniSearch with the options that its guide recommends for search boxes. */
import type { SearchDocument } from '../../../packages/search/src/port/document.ts'
import { type Answer, DEPTH, type Engine, timed } from '../engine.ts'
import { bodyOf } from './body.ts'

/** Part of the package's interface that is used here, so that types are checked without the benchmark packages. */
interface MiniSearch {
  addAll(documents: readonly { readonly id: number; readonly title: string; readonly body: string }[]): void
  search(text: string): readonly { readonly id: unknown }[]
}

/** Loads the package. @throws if it is not installed */
export async function miniSearch(): Promise<new (options: object) => MiniSearch> {
  const name = 'minisearch'
  return (await import(name)).default
}

/** Matches any of the words, with prefix matching of the last word. The title has double weight. */
export const exact: Engine = (documents, questions) => asked(documents, questions, false)

/** Like `exact`, but also matches words that differ in up to a fifth of their letters. */
export const fuzzy: Engine = (documents, questions) => asked(documents, questions, 0.2)

async function asked(
  documents: readonly SearchDocument[],
  questions: readonly string[],
  fuzziness: number | false,
): Promise<Answer[]> {
  const MiniSearch = await miniSearch()
  const index = new MiniSearch({
    fields: ['title', 'body'],
    processTerm: (word: string) =>
      word
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .toLowerCase(),
    searchOptions: {
      boost: { title: 2 },
      fuzzy: fuzziness,
      prefix: (_: string, at: number, words: readonly string[]) => at === words.length - 1,
    },
  })
  index.addAll(documents.map((document, id) => ({ id, title: document.title, body: bodyOf(document) })))
  return timed(questions, (text) =>
    index
      .search(text)
      .slice(0, DEPTH)
      .map(({ id }) => Number(id)),
  )
}
