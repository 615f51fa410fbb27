/** Compares staged entities with stored ones, in batches, so that a large import fits in a small heap. */
import type { EntityChange } from '@worldwright/core/store'
import { jsonOf } from '@worldwright/search/entities'
import { batchOf } from './batch.ts'
import { readEntityFrom } from './checksum.ts'

/**
 * Staged entity joined with the stored one. The stored one stays if JSON and content are both null, or if the revisions are
 * equal and it is not damaged.
 */
export type ComparedRow = [...MissingRow, type: string, content: string | null, hasSameRevision: 0 | 1]

/** Stored entity. Its JSON is null if an entity with the same key was staged. */
export type MissingRow = [id: string, revision: string, json: string | null, checksum: number | null]

/** Yields the changes that rows represent. `after` returns the rows after a key, ascending by type, then id. */
export function* changesIn(
  after: (type: string, id: string) => Iterable<ComparedRow>,
): Generator<readonly EntityChange[]> {
  for (let last: readonly [type: string, id: string] | undefined = ['', '']; last !== undefined; ) {
    const batch: ComparedRow[] = batchOf(after(...last), ([, , json, , , content]) => [json, content])
    const changes = batch.map((row): EntityChange => {
      const [id, , , , type, content, hasSameRevision] = row
      const before = standing(type, row)
      const stays = hasSameRevision === 1 && before !== ''
      return { type, id, before, after: stays ? before : (content ?? undefined) }
    })
    yield changes
    const end = changes.at(-1)
    last = end && [end.type, end.id]
  }
}

/** Yields the deletions that rows represent. `after` returns the rows of a type after an id, ascending by id. */
export function* deletionsIn(
  types: readonly string[],
  after: (type: string, id: string) => Iterable<MissingRow>,
): Generator<readonly EntityChange[]> {
  for (const type of types) {
    for (let last: string | undefined = ''; last !== undefined; ) {
      const batch: MissingRow[] = batchOf(after(type, last), ([, , json]) => [json])
      yield batch.flatMap((row) => {
        const before = standing(type, row)
        return before === undefined ? [] : { type, id: row[0], before, after: undefined }
      })
      last = batch.at(-1)?.[0]
    }
  }
}

/** Returns the stored entity of a row, in the form of `before` in a change. */
function standing(type: string, row: readonly [...MissingRow, ...unknown[]]): EntityChange['before'] {
  const [id, revision, json, checksum] = row
  return json === null ? undefined : jsonOf(readEntityFrom(type, id, revision, json, checksum))
}
