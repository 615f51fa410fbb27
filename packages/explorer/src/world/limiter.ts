/** Bounded concurrency: tasks beyond the limit wait in a queue. */

/** Creates a limiter for `most` tasks at once, started in the order in which they were submitted. */
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
      // The slot goes straight to the next in the queue, so that no later task overtakes it.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
