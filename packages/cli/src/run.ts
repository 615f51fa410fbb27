/** The command line: which commands there are, what they take, and which code runs each. */
import { readFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import type { DiscoverOptions } from './commands/discover.ts'
import type { ImportCommandOptions } from './commands/import.ts'
import type { ListOptions } from './commands/list.ts'
import type { ServeOptions } from './commands/serve.ts'
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

type Finish = (code: number) => void

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
  addReading(world, io, finish)
  return world.addHelpText('after', examples('serve ./my-world', 'show https://world.example'))
}

// Each command's code is loaded when it runs, so that help needs none of it.

function addPublishing(world: Command, io: Io, finish: Finish): void {
  world
    .command('serve')
    .description('Load the sources of a world into its store and serve it.')
    .argument('[path]', 'the folder of a world.yaml, or the file itself (default: the current folder)')
    .option('--store <store>', 'sqlite:FILE (default: world.db beside the definition; WORLD_STORE)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1; WORLD_HOST)')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: 8080; WORLD_PORT)')
    .option('--public-url <url>', 'the origin readers use (WORLD_PUBLIC_URL)')
    .option('--api-url <url>', 'the API, where it is not below the origin (WORLD_API_URL)')
    .option('--trust-proxy', 'take the origin from the headers of a proxy in front (WORLD_TRUST_PROXY)')
    .addHelpText(
      'after',
      examples(
        'serve',
        'serve ./my-world --port 3000',
        'serve --store sqlite:sol.db',
        'serve ./my-world --host 0.0.0.0 --public-url https://sol.example',
      ),
    )
    .action(async (path: string | undefined, options: ServeOptions) => {
      const { serve } = await import('./commands/serve.ts')
      finish(await serve(path, options, io))
    })
  world
    .command('import')
    .description('Load records from NDJSON or JSON files, plain or gzipped, into a store.')
    .argument('<file...>', 'the files; - is the standard input')
    .option('--store <store>', 'sqlite:FILE (default: the store of the world.yaml here; WORLD_STORE)')
    .option('--type <type>', 'the type of records that name none, as prefix:name')
    .option('--replace', 'delete what the store has of the same types and the files have not')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      examples(
        'import planets.ndjson --store sqlite:sol.db',
        'import moons.json.gz --type sol:moon --replace',
        'import - --type sol:comet < comets.ndjson',
      ),
    )
    .action(async (files: string[], options: ImportCommandOptions) => {
      const { importFiles } = await import('./commands/import.ts')
      finish(await importFiles(files, options, io))
    })
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

function examples(...commands: string[]): string {
  return `\nExamples:\n${commands.map((command) => `  npx worldwright ${command}`).join('\n')}`
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
