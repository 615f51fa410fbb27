/** Temporary folders for tests of the SQLite engine. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder for the files of one test. */
export interface TemporaryFolder {
  file(name: string): string
  remove(): void
}

/** Creates an empty folder, which the caller must remove. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'worldwright-'))
  return { file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true, force: true }) }
}
