/** Compares the engine's top twenty hits with those of the documented ranking, over many documents. */
import { createMemorySegments } from '../../packages/search/src/memory-segments.ts'
import { IndexReader } from '../../packages/search/src/read/index-reader.ts'
import {
  dice,
  documentOf,
  queryOf,
  vocabularyOf,
} from '../../packages/search/src/reference/random.fixture.ts'
import { Reference } from '../../packages/search/src/reference/reference.fixture.ts'
import { IndexWriter } from '../../packages/search/src/write/index-writer.ts'

/** Compares random questions before and after random updates and merges. Returns the number whose hits differ. */
export function differences(documents: number, questions: number): number {
  const roll = dice(17)
  const word = vocabularyOf(roll, Math.ceil(Math.sqrt(documents) * 20))
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const reference = new Reference()
  const known = Array.from({ length: documents }, (_, at) => documentOf(roll, word, `d${at}`))
  for (const document of known) reference.put(document)
  writer.change([], known)
  let different = compare(store, reference, questions, () => queryOf(roll, word))
  for (let at = 0; at < documents / 100; at++) {
    const place = roll(documents)
    const before = known[place]
    if (!before) continue
    const after = documentOf(roll, word, before.id)
    writer.change([before], [after])
    reference.delete(before.type, before.id)
    reference.put(after)
    known[place] = after
    writer.maintain(0.5)
  }
  different += compare(store, reference, questions, () => queryOf(roll, word))
  return different
}

function compare(
  store: ReturnType<typeof createMemorySegments>,
  reference: Reference,
  questions: number,
  question: () => string,
): number {
  const reader = new IndexReader(store)
  const dictionary = reference.dictionary()
  let different = 0
  for (let at = 0; at < questions; at++) {
    const asked = { text: question(), limit: 20, budgetMs: 600_000 }
    const expected = reference.search(asked, dictionary)
    const found = reader.search(asked).hits.map(({ key }) => `${key.type} ${key.id}`)
    if (found.join('\n') !== expected.keys.join('\n')) different += 1
  }
  return different
}
