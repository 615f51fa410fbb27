/**
 * Runs the tests: `run.ts` those that are quick; `run.ts --slow` those in files named `x.slow.test.ts`, and once more, with
 * many rounds, those that import `rounds.ts`. Further arguments go to Node's test runner. Two files run at a time for each
 * core, because many wait for processes. Those with a browser come after them, because what a page waits for has a time: one
 * process for each core, whose files share a browser and a demo world, since to start these takes as long as many tests.
 * Files that start nothing share one process as well. Slow ones share nothing. The end of the output counts the tests of
 * all these runs. What Node compiles is kept, because most of a short process is the compiling of TypeScript; and temporary
 * files stay in memory where there is room, because stores wait for the disk with every write, and no test cuts the power.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Counts } from './counts-reporter.ts'
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
const sharing = slow ? ['--test-concurrency=1'] : ['--test-isolation=none']
const hasBrowser = (file: string) => imports(file, 'browser.ts')
/** Tests of the page's own code: they start nothing, and leave nothing behind in their process. */
const isPlain = (file: string) => file.startsWith('packages/explorer/src/')
const pages = files.filter(hasBrowser).toSorted()
const counted: Counts[] = []
const succeeded = [
  await run(files.filter(isPlain), sharing),
  await run(
    files.filter((file) => !isPlain(file) && !hasBrowser(file)),
    [`--test-concurrency=${2 * cores}`],
  ),
  ...(await Promise.all(
    Array.from({ length: cores }, (_, core) =>
      run(
        pages.filter((_file, index) => index % cores === core),
        sharing,
        core > 0,
      ),
    ),
  )),
]
rmSync(temporary, { recursive: true, force: true })
const total = (name: keyof Counts) => counted.reduce((sum, counts) => sum + counts[name], 0)
process.stdout.write(`\nall ${counted.length} runs together:
ℹ tests ${total('tests')}
ℹ pass ${total('passed')}
ℹ fail ${total('failed')}
ℹ cancelled ${total('cancelled')}
ℹ skipped ${total('skipped')}
ℹ todo ${total('todo')}
ℹ duration_ms ${Math.round(performance.now())}
`)
process.exitCode = succeeded.every(Boolean) ? 0 : 1

/** Runs files with options of Node's test runner; whether all tests of them passed. `isHeld`: its output comes when it is over. */
async function run(some: readonly string[], options: readonly string[], isHeld = false): Promise<boolean> {
  if (some.length === 0) return true
  const counts = join(temporary, `counts-${some[0]?.replaceAll('/', '-')}`)
  const argv = [
    '--conditions=@worldwright/source',
    '--test',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(ROOT, 'test/counts-reporter.ts')}`,
    `--test-reporter-destination=${counts}`,
    ...options,
    ...further,
    ...some.toSorted(),
  ]
  const child = spawn(process.execPath, argv, {
    cwd: ROOT,
    stdio: ['inherit', isHeld ? 'pipe' : 'inherit', 'inherit'],
    env: {
      ...process.env,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
      ...(slow && { TEST_ROUNDS: 'thorough' }),
    },
  })
  const output = child.stdout?.toArray()
  const [code] = await once(child, 'close')
  for (const part of (await output) ?? []) process.stdout.write(part)
  counted.push(JSON.parse(readFileSync(counts, 'utf8')))
  return code === 0
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}
