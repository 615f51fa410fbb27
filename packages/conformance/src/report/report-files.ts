/** Files of a published report: JSON for programs, a page for people, and a badge. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Judged, summarise } from '../check/baseline.ts'
import type { WorldFacts } from '../server/facts.ts'
import { badge } from './badge.ts'
import { htmlReport } from './html-report.ts'
import { jsonReporter } from './json-report.ts'
import type { Subject } from './reporter.ts'

/** Returns the files of a report on a run, by name. */
export function reportFiles(
  subject: Subject,
  results: readonly Judged[],
  facts?: WorldFacts,
): Readonly<Record<string, string>> {
  return {
    'report.json': jsonReporter(subject).end(results, summarise(results), facts),
    'report.html': htmlReport(subject, results, facts),
    'badge.svg': badge(subject, results),
  }
}

/** Writes the files of a report into a folder, which is created if it is missing. Other files in it are left alone. */
export async function writeReport(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}
