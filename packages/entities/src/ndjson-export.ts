/** Writes entities as NDJSON, in the form in which they are served. */
import type { Snapshot, Store } from '@worldwright/core/store'

/** Target size of a yielded piece, in characters. */
const PIECE_CHARACTERS = 64 * 1024

/** Yields the lines of all entities or of one type, ascending by type, then id. Importing them gives the same entities. */
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

/** Yields the lines as `ndjsonPieces` does, from one snapshot of a store. */
export async function* ndjsonExport(
  storage: Pick<Store, 'snapshot'>,
  type?: string | undefined,
): AsyncGenerator<string> {
  const snapshot = await storage.snapshot()
  try {
    yield* ndjsonPieces(snapshot, type)
  } finally {
    await snapshot.close()
  }
}
