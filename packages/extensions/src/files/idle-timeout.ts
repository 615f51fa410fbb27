/** Ends transfers whose client neither sends nor reads. */
import { WorldFault } from '@worldwright/core'

/** Milliseconds for a poor line to come back, and for a slow reader to empty its buffers. */
const IDLE_TIMEOUT_MS = 60_000

/**
 * The pieces of a request's body, each of which has a minute to come.
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
    // Not waited for: what sends nothing does not end either.
    pieces.return?.().catch(() => {})
  }
}

/** The pieces of an answer. If the next one is not asked for within a minute, their source is closed. */
export async function* withWriteTimeout<Piece>(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    // An error while closing has no reader left.
    const timer = setTimeout(() => pieces.return(undefined).catch(() => {}), IDLE_TIMEOUT_MS)
    // What nobody reads keeps no process alive.
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
