/**
 * Runs tasks side by side, a bounded number at once.
 */

// A task that takes longer than this gives its place to the next, in milliseconds: it only waits, which costs nothing.
const PATIENCE_MS = 1000

/**
 * Yields the results of tasks in the order in which they finish. At most `atOnce` tasks run at once, besides those that have
 * run for a second. No task may reject. Leaving the loop starts no further task.
 */
export async function* inTurn<T>(
  tasks: readonly (() => Promise<T>)[],
  atOnce: number,
): AsyncGenerator<T, void, undefined> {
  const done: T[] = []
  let wake = () => {}
  let begun = 0
  let busy = 0
  const begin = () => {
    while (busy < atOnce && begun < tasks.length) run(tasks[begun++] as () => Promise<T>)
  }
  const run = (task: () => Promise<T>) => {
    let leave = () => {
      leave = () => {}
      clearTimeout(timer)
      busy--
      begin()
    }
    const timer = setTimeout(() => leave(), PATIENCE_MS)
    busy++
    task().then((result) => {
      done.push(result)
      leave()
      wake()
    })
  }
  begin()
  try {
    for (let given = 0; given < tasks.length; given++) {
      if (given === done.length)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      yield done[given] as T
    }
  } finally {
    begun = tasks.length
  }
}
