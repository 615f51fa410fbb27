/** Entities as NDJSON, as they are served, from one snapshot. */
import type { Storage } from '../storage/contract.ts'

/** How many characters are yielded at a time. */
const PIECE_CHARACTERS = 64 * 1024

/** The lines of all entities, or those of one type, ascending by type, then id. Importing them gives the same entities. */
export async function* ndjsonExport(
  storage: Pick<Storage, 'snapshot'>,
  type?: string | undefined,
): AsyncGenerator<string> {
  const snapshot = await storage.snapshot()
  try {
    let piece = ''
    for await (const { json } of snapshot.entities(type)) {
      piece += `${json}\n`
      if (piece.length < PIECE_CHARACTERS) continue
      yield piece
      piece = ''
    }
    if (piece !== '') yield piece
  } finally {
    await snapshot.close()
  }
}
