/** Bounded concurrency: at most so many pieces of work at once, the others wait in line. */

/** Runs a piece of work when there is room for it. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>

/** A limiter for `most` pieces of work at once, begun in the order they were handed over. */
export function createLimiter(most: number): Limiter {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
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
