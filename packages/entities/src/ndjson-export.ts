/** Exports entities as NDJSON, each in the form in which it is served. */
import type { Snapshot, Store } from '@worldwright/core/store'

/** Minimum size of every yielded piece but the last, in UTF-16 code units. */
const PIECE_CHARACTERS = 64 * 1024

/** Yields all entities, or those of `type`, as pieces of importable NDJSON, ordered by type and id. */
export async function* ndjsonPieces(snapshot: Snapshot, type?: string | undefined): AsyncGenerator<string> {
  let piece = ''
  for await (const { json } of snapshot.entities(type)) {
    piece += `${json}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Yields the same text as `ndjsonPieces`, from a single snapshot of a store. */
export async function* ndjsonExport(
  store: Pick<Store, 'snapshot'>,
  type?: string | undefined,
): AsyncGenerator<string> {
  const snapshot = await store.snapshot()
  try {
    yield* ndjsonPieces(snapshot, type)
  } finally {
    await snapshot.close()
  }
}
