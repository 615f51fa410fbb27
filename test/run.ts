/**
 * Runs the tests: `run.ts` those that are quick; `run.ts --slow` those in files named `x.slow.test.ts`, and once more, with
 * many rounds, those that import `rounds.ts`. Further arguments go to Node's test runner. Two files run at a time for each
 * core, because many wait for processes; those with a browser come after them, one for each core, because what a page waits
 * for has a time. What Node compiles is kept, because most of a short process is the compiling of TypeScript; and temporary
 * files stay in memory where there is room, because stores wait for the disk with every write, and no test cuts the power.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './source-files.ts'

const MEMORY = '/dev/shm'
/** Free space that temporary files are kept in memory with, in bytes. */
const ROOM = 4 * 2 ** 30
const PATTERNS = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts']

const [first, ...rest] = process.argv.slice(2)
const slow = first === '--slow'
const further = slow || first === undefined ? rest : [first, ...rest]
const isSlow = (file: string) => file.endsWith('.slow.test.ts')
const imports = (file: string, name: string) => readFileSync(join(ROOT, file), 'utf8').includes(`/${name}'\n`)
const files = globSync(PATTERNS, { cwd: ROOT }).filter((file) =>
  slow ? isSlow(file) || imports(file, 'rounds.ts') : !isSlow(file),
)
if (files.length === 0) throw new Error('there are no tests')

const temporary = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'worldwright-tests-'))
// As open as any folder of temporary files: nginx and PostgreSQL run as others.
chmodSync(temporary, 0o1777)
// Ctrl-C ends the tests, which is the end of this process as well, but not before it has cleaned up.
process.on('SIGINT', () => {})
const cores = availableParallelism()
const hasBrowser = (file: string) => imports(file, 'browser.ts')
const succeeded = [
  run(
    files.filter((file) => !hasBrowser(file)),
    2 * cores,
  ),
  run(files.filter(hasBrowser), cores),
]
rmSync(temporary, { recursive: true, force: true })
process.exitCode = succeeded.every(Boolean) ? 0 : 1

/** Runs files, so many at a time; whether all tests of them passed. */
function run(some: readonly string[], concurrency: number): boolean {
  if (some.length === 0) return true
  const options = ['--conditions=@worldwright/source', '--test', `--test-concurrency=${concurrency}`]
  const { status } = spawnSync(process.execPath, [...options, ...further, ...some.toSorted()], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
      ...(slow && { TEST_ROUNDS: 'thorough' }),
    },
  })
  return status === 0
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}
