/** What is staged against what is stored, in batches: a large import goes through a small heap. */
import type { EntityChange } from '../index-changes.ts'
import { batchOf } from './batch.ts'

/** A staged entity against what is stored: both texts are absent where the content is the same. */
export type ComparedRow = [type: string, id: string, json: string | null, content: string | null]

/** A stored entity; its JSON is absent where something was staged under its key. */
export type MissingRow = [id: string, json: string | null]

/** The changes that rows stand for. `after`: the rows behind a key, ascending by type and id. */
export function* changesIn(
  after: (type: string, id: string) => Iterable<ComparedRow>,
): Generator<readonly EntityChange[]> {
  for (let last: ComparedRow | undefined = ['', '', null, null]; last !== undefined; ) {
    const batch: ComparedRow[] = batchOf(after(last[0], last[1]), ([, , json, content]) => [json, content])
    yield batch.map(([type, id, json, content]) => ({
      type,
      id,
      before: json ?? undefined,
      after: content ?? undefined,
    }))
    last = batch.at(-1)
  }
}

/** The deletions that rows stand for. `after`: the rows of a type behind an id, ascending. */
export function* deletionsIn(
  types: readonly string[],
  after: (type: string, id: string) => Iterable<MissingRow>,
): Generator<readonly EntityChange[]> {
  for (const type of types) {
    for (let last: string | undefined = ''; last !== undefined; ) {
      const batch: MissingRow[] = batchOf(after(type, last), ([, json]) => [json])
      yield batch.flatMap(([id, json]) => (json === null ? [] : { type, id, before: json, after: undefined }))
      last = batch.at(-1)?.[0]
    }
  }
}
