/** Libraries that stand between a program and the C library (`LD_PRELOAD`). */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Compiles the one whose source has this name beside this file, without `.c`, into a folder. Gives its path. */
export function builtShim(name: 'failing-disk' | 'set-clock', folder: string): string {
  const shim = join(folder, `${name}.so`)
  const source = join(import.meta.dirname, `${name}.c`)
  const { status, stderr } = spawnSync('gcc', ['-shared', '-fPIC', '-O1', '-o', shim, source, '-ldl'])
  if (status !== 0) throw new Error(`${name}.c was not compiled:\n${stderr}`)
  return shim
}

/** Whether libraries can be compiled here. */
export function hasCompiler(): boolean {
  return spawnSync('gcc', ['--version']).status === 0
}
