/** The command line: which commands there are, what they take, and which code runs each. */
import { readFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import { addCheck } from './commands/check.ts'
import type { DiscoverOptions } from './commands/discover.ts'
import { examples } from './commands/examples.ts'
import type { ListOptions } from './commands/list.ts'
import { addMaintenance } from './commands/maintenance.ts'
import { addPublishing, type Finish } from './commands/publishing.ts'
import { addTypes } from './commands/types-command.ts'
import type { ReadingOptions } from './open/origin.ts'
import { reportFailure } from './terminal/failure.ts'
import type { Io } from './terminal/io.ts'

/** How wide help is set where the output is no terminal. */
const HELP_COLUMNS = 80

/**
 * Runs one command: `argv` is what follows the command's own name. Resolves with the exit code: 0 done, 1 the call
 * failed, 2 wrong usage. It never rejects, and touches nothing of the process but `io`.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code = 0
  const finish = (result: number) => {
    code = result
  }
  try {
    await program(await version(), io, finish).parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    return reportFailure(error, io, argv.includes('--json'))
  }
}

function program(version: string, io: Io, finish: Finish): Command {
  const world = new Command('world')
    .description('Publish worlds of typed entities, and read those of others.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => (io.stdout.isTTY ? io.stdout.columns : undefined) ?? HELP_COLUMNS,
      getErrHelpWidth: () => (io.stderr.isTTY ? io.stderr.columns : undefined) ?? HELP_COLUMNS,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('Type --help after the command for what it takes.')
  addPublishing(world, io, finish)
  addMaintenance(world, io, finish)
  addReading(world, io, finish)
  addTypes(world, io, finish)
  addCheck(world, io, finish)
  return world.addHelpText('after', examples('serve ./my-world', 'show https://world.example'))
}

function addReading(world: Command, io: Io, finish: Finish): void {
  reading(world, 'show', 'Show what a world is and what it offers.')
    .addHelpText('after', examples('show https://sol.example', 'show localhost:8080 --json'))
    .action(async (origin: string, options: ReadingOptions) => {
      const { show } = await import('./commands/show.ts')
      finish(await show(origin, options, io))
    })
  reading(world, 'list', 'List the entities of a type.')
    .argument('<type>', 'the type, as prefix:name')
    .option('--limit <n>', 'entities per page', wholeNumber)
    .option('--cursor <cursor>', 'where to go on, as the page before said')
    .option('--all', 'all pages')
    .addHelpText(
      'after',
      examples('list sol.example sol:moon --limit 10', 'list sol.example sol:moon --all --json'),
    )
    .action(async (origin: string, type: string, options: ListOptions) => {
      const { list } = await import('./commands/list.ts')
      finish(await list(origin, type, options, io))
    })
  reading(world, 'get', 'Get one entity.')
    .argument('<type>', 'the type, as prefix:name')
    .argument('<id>', 'the id')
    .addHelpText(
      'after',
      examples('get sol.example sol:moon europa', 'get sol.example sol:moon europa --json'),
    )
    .action(async (origin: string, type: string, id: string, options: ReadingOptions) => {
      const { get } = await import('./commands/get.ts')
      finish(await get(origin, type, id, options, io))
    })
  reading(world, 'discover', 'Search a world by text and type.')
    .argument('[text...]', 'words to search for (default: everything)')
    .option('--type <type>', 'only this type; can be given again', (type: string, before: string[] = []) => [
      ...before,
      type,
    ])
    .option('--limit <n>', 'entities at most', wholeNumber)
    .addHelpText(
      'after',
      examples('discover sol.example icy ocean', 'discover sol.example --type sol:moon --limit 5'),
    )
    .action(async (origin: string, words: string[], options: DiscoverOptions) => {
      const { discover } = await import('./commands/discover.ts')
      finish(await discover(origin, words, options, io))
    })
}

/** A command that reads a world: its origin first, and the options all of them share. */
function reading(world: Command, name: string, description: string): Command {
  return world
    .command(name)
    .description(description)
    .argument('<origin>', 'the origin of the world; without a scheme https, on loopback http')
    .option('--json', 'print JSON; of several entities, one a line')
    .option('--token <token>', 'for worlds that need one (WORLD_TOKEN)')
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw new InvalidArgumentError('It is a whole number of 0 or more.')
}

async function version(): Promise<string> {
  // Beside both `src` and `dist`.
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(text).version
}
