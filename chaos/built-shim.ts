/** Builds libraries that are interposed between a program and the C library (`LD_PRELOAD`). */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Compiles the C source with this name into a library in a folder. Returns the path of the library. */
export function builtShim(name: 'failing-disk' | 'set-clock', folder: string): string {
  const shim = join(folder, `${name}.so`)
  const source = join(import.meta.dirname, `${name}.c`)
  const { status, stderr } = spawnSync('gcc', ['-shared', '-fPIC', '-O1', '-o', shim, source, '-ldl'])
  if (status !== 0) throw new Error(`${name}.c was not compiled:\n${stderr}`)
  return shim
}

/** Reports whether this machine can compile libraries. */
export function hasCompiler(): boolean {
  return spawnSync('gcc', ['--version']).status === 0
}
