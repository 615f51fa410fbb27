/** Ends transfers whose client neither sends nor reads. */
import { WorldFault } from '@worldwright/core'

/** Idle timeout, in milliseconds: long enough for a poor line to recover and a slow reader to empty its buffers. */
const IDLE_TIMEOUT_MS = 60_000

/**
 * Yields the pieces of a request's body, each of which must arrive within a minute.
 * @throws WorldFault `request_timeout`
 */
export async function* withReadTimeout(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await inTime(pieces.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited: a client that sends nothing does not end either.
    pieces.return?.().catch(() => {})
  }
}

/** Yields the pieces of a response. If the next one is not requested within a minute, closes their source. */
export async function* withWriteTimeout<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    // An error while closing has no reader left.
    const timer = setTimeout(() => pieces.return(undefined).catch(() => {}), IDLE_TIMEOUT_MS)
    // A response that is not read keeps no process alive.
    timer.unref()
    try {
      yield piece
    } finally {
      clearTimeout(timer)
    }
  }
}

function inTime<T>(piece: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const seconds = IDLE_TIMEOUT_MS / 1_000
      const message = `Nothing came for ${seconds} seconds, and the body is not complete.`
      reject(new WorldFault('request_timeout', message, { seconds }))
    }, IDLE_TIMEOUT_MS)
    piece.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
