/**
 * Counts the lines of source of each package: `packages/*` + `/src`, without tests, fixtures and the suites of the store.
 * As a program it prints them: `npm run lines`.
 */
import { sourceFiles } from './source-files.ts'

const SOURCE = /^packages\/([^/]+)\/src\/(?!store\/suite)/

/** Returns the lines of source by package, in the order of the names. */
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
