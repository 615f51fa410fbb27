import type { EntityIndex, EntityKey, Query, SearchedEntities } from '@worldwright/core/store'
import { RULES_KEY, rulesOfText, SYNONYMS_KEY } from '@worldwright/core/store'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexReader } from '../read/index-reader.ts'
import type { QueryContext } from '../read/query-context.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { answerQuery } from './answer-query.ts'
import { IndexChanges } from './index-changes.ts'
import { matchingFields } from './matching-fields.ts'
import { documentFromJson } from './search-document.ts'
import { synonymsReader } from './synonyms-reader.ts'

/** Creates the search index of an in-memory store, as `createMemoryStore({ search: memorySearch })`. */
export function memorySearch(store: SearchedEntities): EntityIndex {
  let { writer, reader } = emptyIndex()
  const rules = () => rulesOfText(store.value(RULES_KEY))
  const source = {
    search: (query: Query, context: QueryContext) => reader.search(query, context),
    synonyms: synonymsReader(() => store.value(SYNONYMS_KEY)),
    rules,
    entities: (keys: readonly EntityKey[]) => keys.map(({ type, id }) => store.get(type, id)),
    types: () => store.types(),
    first: (type: string, limit: number) => ({ entities: store.first(type, limit) }),
  }
  return {
    change(changes) {
      const index = new IndexChanges(writer, rules())
      for (const change of changes) index.note(change)
      index.finish()
    },
    rebuild(entities) {
      ;({ writer, reader } = emptyIndex())
      writer.build(Array.from(entities, ({ type, json }) => documentFromJson(type, json, rules())))
    },
    find(query) {
      reader.refresh()
      return answerQuery(source, query)
    },
    matchedIn: (hits, terms) => matchingFields(hits, terms, rules()),
  }
}

function emptyIndex() {
  const segments = createMemorySegments()
  return { writer: new IndexWriter(segments), reader: new IndexReader(segments) }
}
