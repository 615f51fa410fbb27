/**
 * Runs the tests: `run.ts` the quick ones; `run.ts --slow` those in files named `x.slow.test.ts`, and again, with many
 * rounds, those that import `rounds.ts`. Further arguments go to the test runner of Node.js. Quick files share processes,
 * because starting a process and loading the code under test takes as long as many tests (`in-one-process.ts`); two processes
 * run per core, because many wait for others. Files with a browser run after them, because pages have timeouts: one process
 * per core, whose files also share a browser and a demo world. Slow files share nothing. The output ends with the counts over
 * all these runs. The compile cache of Node.js is kept, because a short process spends most of its time compiling TypeScript.
 * Temporary files are kept in memory if there is room, because stores wait for the disk with every write, and no test cuts
 * the power.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Counts } from './counts-reporter.ts'
import { ROOT } from './source-files.ts'

const MEMORY = '/dev/shm'
/** Minimum free space for keeping temporary files in memory, in bytes. */
const ROOM = 4 * 2 ** 30
const PATTERNS = ['packages/*/{src,testing}/**/*.test.ts', 'test/**/*.test.ts']

const [first, ...rest] = process.argv.slice(2)
const slow = first === '--slow'
const further = slow || first === undefined ? rest : [first, ...rest]
const isSlow = (file: string) => file.endsWith('.slow.test.ts')
const imports = (file: string, name: string) => readFileSync(join(ROOT, file), 'utf8').includes(`${name}'\n`)
const files = globSync(PATTERNS, { cwd: ROOT })
  .filter((file) => (slow ? isSlow(file) || imports(file, '/rounds.ts') : !isSlow(file)))
  .toSorted()
if (files.length === 0) throw new Error('there are no tests')

const temporary = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'worldwright-tests-'))
// As open as any folder of temporary files: nginx and PostgreSQL run as other users.
chmodSync(temporary, 0o1777)
// Ctrl-C ends the tests, and then this process, but only after it has cleaned up.
process.on('SIGINT', () => {})
const cores = availableParallelism()
const hasBrowser = (file: string) => imports(file, '/browser.ts') || imports(file, 'playwright-core')
const pages = files.filter(hasBrowser)
const others = files.filter((file) => !hasBrowser(file))
const counted: Counts[] = []
const succeeded = slow
  ? [
      await run(['--test', `--test-concurrency=${2 * cores}`], others),
      await run(['--test', '--test-concurrency=1'], pages),
    ]
  : [
      ...(await inTurn(groupsOf(others), 2 * cores, [join(ROOT, 'test/in-one-process.ts')])),
      ...(await inTurn(dealt(pages, cores), cores, ['--test', '--test-isolation=none'])),
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

/** Groups neighbouring files, which load much of the same code, by at most `size` files. */
function groupsOf(some: readonly string[], size = 12): string[][] {
  return Array.from({ length: Math.ceil(some.length / size) }, (_, group) =>
    some.slice(group * size, (group + 1) * size),
  )
}

/** Deals the files out to `count` groups in turn. */
function dealt(some: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, (_, group) => some.filter((_file, index) => index % count === group))
}

/** Runs groups of files in `atATime` parallel lanes. Returns, for each lane, whether all its tests passed. */
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

/** Runs files in a Node.js process and reports whether all tests passed. `isHeld` holds its output back until it ends. */
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
  // A process that crashed has written no counts.
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
