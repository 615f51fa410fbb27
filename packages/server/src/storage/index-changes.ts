/** Changes of entities on their way into the search index, within one transaction. */
import type { SearchDocument } from '../search/port/document.ts'
import type { IndexWriter } from '../search/write/index-writer.ts'
import type { SearchWeights, StoredEntity } from './contract.ts'
import { searchDocumentOf } from './search-text.ts'

/** Changes kept before they become a segment, and their characters: some tens of megabytes of entities. */
const KEPT = 50_000
const KEPT_CHARACTERS = 32_000_000

interface Change {
  /** As the index has it; undefined where there was none. */
  readonly before: StoredEntity | undefined
  readonly after: StoredEntity | undefined
}

/** Collects what happens to entities; however often one changes, the index changes once. */
export interface IndexChanges {
  /** `before` is now `after`; one of them may be undefined. */
  note(before: StoredEntity | undefined, after: StoredEntity | undefined): void
  /** Writes the changes. Call it last. */
  finish(): void
}

/** Begins to collect changes of an index that is built by these weights. */
export function indexChanges(writer: IndexWriter, weights: SearchWeights): IndexChanges {
  const known = writer.segments()
  let changes = new Map<string, Change>()
  let characters = 0
  let flushed = false

  function flush(): void {
    const removed: SearchDocument[] = []
    const added: SearchDocument[] = []
    for (const { before, after } of changes.values()) {
      if (before?.revision === after?.revision) continue
      if (before) removed.push(documentOf(before, weights))
      if (after) added.push(documentOf(after, weights))
    }
    changes = new Map()
    characters = 0
    writer.change(removed, added)
  }

  return {
    note(before, after) {
      const entity = before ?? after
      if (!entity) return
      const key = `${entity.type} ${entity.id}`
      const earlier = changes.get(key)
      changes.set(key, { before: earlier ? earlier.before : before, after })
      characters += (before?.json.length ?? 0) + (after?.json.length ?? 0)
      if (changes.size < KEPT && characters < KEPT_CHARACTERS) return
      flush()
      flushed = true
    },
    finish() {
      flush()
      // One large segment instead of many middling ones: better now than with every search until the next merge.
      if (flushed) writer.mergeAll(known)
    },
  }
}

/** An entity as the index has it that is built by these weights. */
export function documentOf({ type, json }: StoredEntity, weights: SearchWeights): SearchDocument {
  return searchDocumentOf(JSON.parse(json), weights[type])
}
