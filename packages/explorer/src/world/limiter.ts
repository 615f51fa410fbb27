/** Bounded concurrency: at most so many pieces of work at once, the others wait in line. */

/** A limiter for `most` pieces of work at once, begun in the order they were handed over. */
export function createLimiter(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The room goes straight to the next in line, so that nobody comes in between.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
