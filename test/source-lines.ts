/**
 * Counts the source lines in the folder `src` of each package, without tests, fixtures and store suites. Prints the counts
 * if run as a program, as by `npm run lines`.
 */
import { sourceFiles } from './source-files.ts'

const SOURCE = /^packages\/([^/]+)\/src\/(?!store\/suite)/

/** Returns the number of source lines of each package, ordered by package name. */
export function sourceLines(): Map<string, number> {
  const lines = new Map<string, number>()
  for (const { path, text, isTest } of sourceFiles()) {
    const name = SOURCE.exec(path)?.[1]
    if (name === undefined || isTest) continue
    lines.set(name, (lines.get(name) ?? 0) + text.split('\n').length - 1)
  }
  return lines
}

if (import.meta.main) {
  const lines = sourceLines()
  for (const [name, count] of lines) process.stdout.write(`${String(count).padStart(7)} ${name}\n`)
  process.stdout.write(`${String([...lines.values()].reduce((sum, count) => sum + count, 0)).padStart(7)}\n`)
}
