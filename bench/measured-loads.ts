/** Shared parts of the benchmarks that load whole files: the files, and the peak memory of a process. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Absolute path of the repository's root folder. */
export const ROOT = resolve(import.meta.dirname, '..')

/** Returns absolute paths of the files in the arguments, by default the medium and the large file beside the repository. */
export function filesToLoad(): string[] {
  const named = process.argv.slice(2)
  if (named.length > 0) return named.map((file) => resolve(file))
  return ['medium', 'large'].map((name) => join(ROOT, `../shared/data/entities/${name}.ndjson.gz`))
}

/** Returns the peak memory of a process in MB, or undefined if the process has just exited. */
export function peakOf(pid: number | undefined): number | undefined {
  try {
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
  } catch {
    return undefined
  }
}
