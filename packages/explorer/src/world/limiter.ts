/** Concurrency limit with a queue of waiting tasks. */

/** Creates a limiter that runs at most `most` tasks at a time and starts them in the order of submission. */
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
      // Hand the slot to the next task in the queue, so that a later task cannot take it.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
