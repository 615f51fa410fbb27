/** Limits how often a source reads the data behind it. */

/** Returns a function that reads, or repeats a result less than `maxAgeMs` old. Concurrent calls share a read. */
export function polled<T>(maxAgeMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at >= maxAgeMs) last = { at: now, result: read() }
    return last.result
  }
}
