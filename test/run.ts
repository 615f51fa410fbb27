/**
 * Runs the quick tests. With `--slow`, runs the files named `x.slow.test.ts` instead, and again those that import
 * `rounds.ts`, with many rounds. Folders, files and globs, relative to the repository, restrict the run to these tests.
 * Other options are passed to the test runner of Node.js. With such options or `--slow`, each file has its own process.
 * Otherwise quick files share processes (`in-one-process.ts`), because starting a process and loading the code under test
 * takes as long as many tests. Two processes run per core, because tests often wait. Files with a browser run last, because
 * pages have timeouts, in one process per core whose files share a browser and a demo world. The output ends with the
 * skipped tests by what the machine lacks, and the counts of all runs. The compile cache of Node.js is kept, because a short
 * process spends most of its time compiling TypeScript. Temporary files are kept in memory if there is room, because stores
 * wait for the disk on every write, and no test cuts the power.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { type Counts, summaryOf } from './counts.ts'
import { ROOT } from './source-files.ts'

const MEMORY = '/dev/shm'
/** Free space needed to keep temporary files in memory, in bytes. */
const ROOM = 4 * 2 ** 30
/** Time after which a group of quick files is ended, in milliseconds: many times what it takes on a busy machine. */
const GROUP_MS = 900_000
const PATTERNS = ['packages/*/{src,testing}/**/*.test.ts', 'test/**/*.test.ts']

const args = process.argv.slice(2)
const slow = args.includes('--slow')
const further = args.filter((arg) => arg.startsWith('-') && arg !== '--slow')
const named = args.filter((arg) => !arg.startsWith('-'))
const parts = named.length === 0 ? ['**'] : named
const isIn = (file: string, part: string) => file.startsWith(join(part, '/')) || matchesGlob(file, join(part))
const isSlow = (file: string) => file.endsWith('.slow.test.ts')
const imports = (file: string, name: string) => readFileSync(join(ROOT, file), 'utf8').includes(`${name}'\n`)
const files = globSync(PATTERNS, { cwd: ROOT })
  .filter((file) => (slow ? isSlow(file) || imports(file, '/rounds.ts') : !isSlow(file)))
  .filter((file) => parts.some((part) => isIn(file, part)))
  .toSorted()
const empty = parts.find((part) => !files.some((file) => isIn(file, part)))
if (empty !== undefined)
  throw new Error(`${empty} holds no ${slow ? 'slow' : 'quick'} tests. An option has its value after a =.`)

const temporary = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'worldwright-tests-'))
// Let every user write, as in other folders for temporary files: nginx and PostgreSQL run as other users.
chmodSync(temporary, 0o1777)
// Ctrl-C ends the tests. This process ends after them, once it has cleaned up.
process.on('SIGINT', () => {})
const cores = availableParallelism()
const hasBrowser = (file: string) => imports(file, '/browser.ts') || imports(file, 'playwright-core')
const pages = files.filter(hasBrowser)
const others = files.filter((file) => !hasBrowser(file))
const counted: Counts[] = []
// In a shared process, `--test-name-pattern` would match tests in the first file only.
const isApart = slow || further.length > 0
const succeeded = isApart
  ? [
      await run(['--test', `--test-concurrency=${2 * cores}`], others),
      await run(['--test', `--test-concurrency=${cores}`], pages),
    ]
  : [
      ...(await inTurn(groupsOf(others), 2 * cores, [join(ROOT, 'test/in-one-process.ts')])),
      ...(await inTurn(dealt(pages, cores), cores, ['--test', '--test-isolation=none'])),
    ]
rmSync(temporary, { recursive: true, force: true })
process.stdout.write(`\n${summaryOf(counted, performance.now())}`)
process.exitCode = succeeded.every(Boolean) ? 0 : 1

/** Puts files into groups of at most `size` neighbouring files, which load much of the same code. */
function groupsOf(some: readonly string[], size = 12): string[][] {
  return Array.from({ length: Math.ceil(some.length / size) }, (_, group) =>
    some.slice(group * size, (group + 1) * size),
  )
}

/** Deals the files out to `count` groups, one at a time. */
function dealt(some: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, (_, group) => some.filter((_file, index) => index % count === group))
}

/** Runs groups of files, `atATime` of them in parallel. Returns, for each parallel lane, whether all its tests passed. */
function inTurn(
  groups: readonly string[][],
  atATime: number,
  program: readonly string[],
): Promise<boolean[]> {
  const waiting = groups.values()
  return Promise.all(
    Array.from({ length: atATime }, async () => {
      let passed = true
      for (const group of waiting) passed = (await run(program, group, true)) && passed
      return passed
    }),
  )
}

/** Runs files in a Node.js process. Returns whether all tests passed. `isHeld` holds back the output until the end. */
async function run(program: readonly string[], some: readonly string[], isHeld = false): Promise<boolean> {
  if (some.length === 0) return true
  const counts = join(temporary, `counts-${some[0]?.replaceAll('/', '-')}`)
  const argv = [
    '--conditions=@worldwright/source',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(ROOT, 'test/counts-reporter.ts')}`,
    `--test-reporter-destination=${counts}`,
    ...further,
    ...program,
    ...some,
  ]
  const child = spawn(process.execPath, argv, {
    cwd: ROOT,
    stdio: ['inherit', isHeld ? 'pipe' : 'inherit', 'inherit'],
    ...(isHeld && { timeout: GROUP_MS }),
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
  // If the process crashed, it has not written its counts.
  const line = existsSync(counts) ? readFileSync(counts, 'utf8') : ''
  if (line !== '') counted.push(JSON.parse(line))
  else process.stdout.write(`✖ ended with ${code} before its summary: ${some.join(' ')}\n`)
  return code === 0 && line !== ''
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}
