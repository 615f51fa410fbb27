import { formatNames, formats } from '@worldwright/publish/formats'
import type { ImportFlags } from '@worldwright/serve/loading'
import type { ServeOptions } from '@worldwright/serve/runtime'
import type { Io } from '@worldwright/serve/terminal'
import { Option } from 'commander'
import { addAllSettings, addSettings } from './setting-options.ts'
import type { WorldCommand } from './world-command.ts'
import { addToken, PATH } from './world-options.ts'

/** Adds the commands init, serve, import, config and schema. */
export function addPublishing(world: WorldCommand): void {
  addInit(world)
  const command = addAllSettings(
    world
      .command('serve')
      .description(
        'Load the sources of a world into its store, serve it, and follow changes of its files; or serve a replica of another world.',
      )
      .argument('[path]', PATH),
  )
  addSettings(command, ['logFormat', 'search', 'follow', 'seed', 'token', 'tokenOrigin'])
    .option('--setup', 'make a first world.yaml in the browser, from files or a database, and then serve it')
    .examples(
      'serve',
      'serve --setup ./my-world',
      'serve ./my-world --port 3000',
      'serve --store sqlite:sol.db',
      'serve ./my-world --host 0.0.0.0 --public-url https://sol.example',
      'serve --follow https://sol.example --store sqlite:copy.db',
      'serve --store postgres://world@db.example/sol --seed /backups/sol.backup',
    )
    .runs(async () => serve)
  addImport(world)
  const config = addAllSettings(
    world
      .command('config')
      .description('Print every setting with its value and where it comes from, secrets masked.')
      .argument('[path]', PATH),
  )
  addSettings(config, ['token', 'tokenOrigin'])
    .option('--json', 'print JSON, one setting per line')
    .examples('config', 'config ./my-world --json')
    .runs(async () => (await import('./config.ts')).config)
  world
    .command('schema')
    .description('Print the JSON Schema of world.yaml, for completion and checks in an editor.')
    .examples('schema > world.schema.json')
    .runs(async () => (await import('./schema.ts')).schema)
}

async function serve(
  path: string | undefined,
  { setup, ...options }: ServeOptions & { setup?: true },
  io: Io,
): Promise<number> {
  if (setup) return (await import('../setup/run-setup.ts')).runSetup(path, options, io)
  return (await import('@worldwright/serve')).runServe(path, options, io)
}

function titles(): string[] {
  return formats().map(({ title }) => title)
}

function addInit(world: WorldCommand): void {
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
    .examples(
      'init books.csv',
      'init books.csv authors.csv --prefix library --name "City library"',
      'init data/',
      'init postgres://reader@db.example/shop --tables customers,orders',
    )
    .runs(async () => (await import('./init.ts')).init)
}

function addImport(world: WorldCommand): void {
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
    .examples(
      'import',
      'import planets.ndjson --store sqlite:sol.db',
      'import moons.csv --type sol:moon --replace',
      'import notes/ --type sol:note --dry-run',
      'import - --type sol:comet < comets.ndjson',
      'import moons.csv --to https://sol.example',
    )
    .runs(async () => importAll)
}

async function importAll(files: string[], options: ImportFlags, io: Io): Promise<number> {
  if (files.length === 0) return (await import('./import-sources.ts')).importSources(options, io)
  return (await import('./import.ts')).importFiles(files, options, io)
}
