/** `world import`: loads data files into a store. */
import { apart } from '../loading/apart.ts'
import type { ImportFlags } from '../loading/import-files.ts'
import type { Io } from '../terminal/io.ts'

/** Loads all good records of the files in one step. Exit code 1 where any record was rejected. */
export function importFiles(files: string[], options: ImportFlags, io: Io): Promise<number> {
  return apart('importFiles', [files, options], io)
}
