/** Commands that fill and serve a world. The code of a command is loaded only when it runs, so that help stays fast. */
import { formatNames, formats } from '@worldwright/publish/formats'
import type { ImportFlags } from '@worldwright/serve/loading'
import type { ServeOptions } from '@worldwright/serve/runtime'
import type { Io } from '@worldwright/serve/terminal'
import { type Command, Option } from 'commander'
import type { ConfigOptions } from './config.ts'
import { examples } from './examples.ts'
import type { InitOptions } from './init.ts'
import { addAllSettings, addSettings } from './setting-options.ts'
import { addToken } from './world-options.ts'

/** Receives the exit code of a finished command. */
export type Finish = (code: number) => void

const PATH = 'the folder of a world.yaml, or the file itself (default: the current folder)'

/** Adds the commands init, serve, import, config and schema. */
export function addPublishing(world: Command, io: Io, finish: Finish): void {
  addInit(world, io, finish)
  const serve = addAllSettings(
    world
      .command('serve')
      .description(
        'Load the sources of a world into its store, serve it, and follow changes of its files; or serve a replica of another world.',
      )
      .argument('[path]', PATH),
  )
  addSettings(serve, ['logFormat', 'search', 'follow', 'seed', 'token', 'tokenOrigin'])
    .option('--setup', 'make a first world.yaml in the browser, from files or a database, and then serve it')
    .addHelpText(
      'after',
      examples(
        'serve',
        'serve --setup ./my-world',
        'serve ./my-world --port 3000',
        'serve --store sqlite:sol.db',
        'serve ./my-world --host 0.0.0.0 --public-url https://sol.example',
        'serve --follow https://sol.example --store sqlite:copy.db',
        'serve --store postgres://world@db.example/sol --seed /backups/sol.backup',
      ),
    )
    .action(async (path: string | undefined, { setup, ...options }: ServeOptions & { setup?: true }) => {
      const { runServe } = await import('@worldwright/serve')
      const { runSetup } = setup ? await import('../setup/run-setup.ts') : { runSetup: runServe }
      finish(await runSetup(path, options, io))
    })
  addImport(world, io, finish)
  const command = addAllSettings(
    world
      .command('config')
      .description('Print every setting with its value and where it comes from, secrets masked.')
      .argument('[path]', PATH),
  )
  addSettings(command, ['token', 'tokenOrigin'])
    .option('--json', 'print JSON, one setting per line')
    .addHelpText('after', examples('config', 'config ./my-world --json'))
    .action(async (path: string | undefined, options: ConfigOptions) => {
      const { config } = await import('./config.ts')
      finish(await config(path, options, io))
    })
  world
    .command('schema')
    .description('Print the JSON Schema of world.yaml, for completion and checks in an editor.')
    .addHelpText('after', examples('schema > world.schema.json'))
    .action(async () => {
      const { schema } = await import('./schema.ts')
      finish(await schema(io))
    })
}

function titles(): string[] {
  return formats().map(({ title }) => title)
}

function addInit(world: Command, io: Io, finish: Finish): void {
  world
    .command('init')
    .description('Generate a first world.yaml from data files or a database, and say what was assumed.')
    .argument(
      '<file...>',
      `files, or a folder: ${titles().join(', ')}, SQLite; or the URL of a database, postgres://… or mysql://…`,
    )
    .option('--prefix <prefix>', 'the prefix of types (default: from the name of the file or folder)')
    .option('--name <name>', 'the name of the world')
    .option('--tables <names>', 'the tables, views or sheets to take, separated by commas (default: all)')
    .addHelpText(
      'after',
      examples(
        'init books.csv',
        'init books.csv authors.csv --prefix library --name "City library"',
        'init data/',
        'init postgres://reader@db.example/shop --tables customers,orders',
      ),
    )
    .action(async (files: string[], options: InitOptions) => {
      const { init } = await import('./init.ts')
      finish(await init(files, options, io))
    })
}

function addImport(world: Command, io: Io, finish: Finish): void {
  const command = world
    .command('import')
    .description(
      `Load records from ${titles()
        .join(', ')
        .replace(/, (?=[^,]*$)/, ' or ')}, plain or gzipped, into a store.`,
    )
    .argument('[file...]', 'files and folders; - is the standard input (default: the sources of world.yaml)')
    .option('--type <type>', 'the type of records without one, as prefix:name')
    .addOption(
      new Option('--format <format>', 'the format, if neither name nor content shows it').choices(
        formatNames(),
      ),
    )
    .option('--replace', 'delete entities of the same types that are not in the files')
    .option('--dry-run', 'report what would happen, and change nothing')
    .option('--to <origin>', 'write to this world over its operator API, instead of into a store')
    .option('--rejects <file>', 'the file for all rejected records (default: one beside the store)')
    .option('--json', 'print the result as JSON')
  addToken(command, 'with --to: a token that may write (WORLD_TOKEN)')
  addSettings(command, ['store', 'onInvalid'])
    .addHelpText(
      'after',
      examples(
        'import',
        'import planets.ndjson --store sqlite:sol.db',
        'import moons.csv --type sol:moon --replace',
        'import notes/ --type sol:note --dry-run',
        'import - --type sol:comet < comets.ndjson',
        'import moons.csv --to https://sol.example',
      ),
    )
    .action(async (files: string[], options: ImportFlags) => {
      const { importFiles } = await import('./import.ts')
      const { importSources } = await import('./import-sources.ts')
      finish(await (files.length === 0 ? importSources(options, io) : importFiles(files, options, io)))
    })
}
