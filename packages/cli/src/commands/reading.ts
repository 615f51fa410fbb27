import { type Io, UsageFault, visible } from '@worldwright/serve/terminal'
import { InvalidArgumentError, Option } from 'commander'
import { JSON_INPUT } from '../open/json-input.ts'
import type { DiscoverOptions } from './discover.ts'
import type { WorldCommand } from './world-command.ts'
import { addNames, addWorldOptions, ORIGIN, oneMore } from './world-options.ts'

const AS_RECEIVED = 'print JSON as received, digit by digit; several entities one per line'
const CURSOR = 'the cursor at the end of the previous page'

/** Adds the commands show, list, get, discover, query, call, watch, mirror, types, explore and mcp. */
export function addReading(world: WorldCommand): void {
  reading(world, 'show', 'Show what a world is and what it offers.')
    .option('--profile', 'print the reading profile as JSON: the names of its members, for --profile-file')
    .examples('show https://sol.example', 'show localhost:8080 --json')
    .runs(async () => (await import('./show.ts')).show)
  reading(world, 'list', 'List the entities of a type.')
    .argument('<type>', 'the type, as prefix:name')
    .option('--limit <n>', 'entities per page', wholeNumber)
    .option('--cursor <cursor>', CURSOR)
    .option('--all', 'all pages')
    .examples('list sol.example sol:moon --limit 10', 'list sol.example sol:moon --all --json')
    .runs(async () => (await import('./list.ts')).list)
  reading(world, 'get', 'Get one entity.')
    .argument('<type>', 'the type, as prefix:name')
    .argument('<id>', 'the id')
    .examples('get sol.example sol:moon europa', 'get sol.example sol:moon europa --json')
    .runs(async () => (await import('./get.ts')).get)
  addDiscover(world)
  addQuery(world)
  reading(world, 'call', 'Call an action of a world.')
    .argument('<name>', 'the action, as prefix:name; show lists them')
    .option('--input <json>', `the input: ${JSON_INPUT} (default: {})`)
    .examples(
      `call sol.example wp:discover --input '{"text": "ocean"}'`,
      'call sol.example sol:light-time --input @bodies.json --json',
    )
    .runs(async () => (await import('./call.ts')).call)
  addFollowing(world)
  addTypes(world)
  addExplore(world)
  addMcp(world)
}

function addDiscover(world: WorldCommand): void {
  reading(world, 'discover', 'Search a world, or many, by text and type.', AS_RECEIVED, '[origin]')
    .argument('[text...]', 'words to search for (default: everything)')
    .option('--type <type>', 'only this type; repeatable', oneMore)
    .option('--limit <n>', 'entities per page', wholeNumber)
    .option('--cursor <cursor>', CURSOR)
    .option('--all', 'all pages')
    .addOption(
      new Option(
        '--in <file>',
        'file of worlds to search together, in place of <origin>: one origin per line, and after it the file of its reading profile if it has one; tokens are not sent',
      ).conflicts(['cursor', 'all', 'token', 'tokenOrigin', 'names', 'profileFile']),
    )
    .examples(
      'discover sol.example icy ocean',
      'discover sol.example --type sol:moon --limit 5',
      'discover --in worlds.txt icy ocean',
    )
    .runs(async () => discoverAny)
}

async function discoverAny(
  origin: string | undefined,
  words: string[],
  options: DiscoverOptions,
  io: Io,
): Promise<number> {
  if (options.in !== undefined) {
    if (origin?.includes('://'))
      throw new UsageFault(`With --in, the worlds are those of the file. Leave out ${visible(origin)}`)
    const { discoverMany } = await import('./discover-many.ts')
    return discoverMany(options.in, [origin ?? [], words].flat(), options, io)
  }
  if (origin === undefined) throw new UsageFault('Name a world by its origin, or a file of worlds with --in')
  const { discover } = await import('./discover.ts')
  return discover(origin, words, options, io)
}

function addQuery(world: WorldCommand): void {
  reading(world, 'query', 'Filter, sort and count the entities of a world.')
    .argument('[condition]', 'a condition in the text form of CQL2 (default: everything)')
    .option('--type <type>', 'only this type; repeatable', oneMore)
    .option('--text <words>', 'words to search for')
    .addOption(new Option('--similar <type/id>', 'entities like this one').conflicts('text'))
    .option('--sort <keys>', 'sort keys: properties, comma-separated; -property for descending')
    .option('--facet <property>', 'count the values of a property; repeatable', oneMore)
    .option('--histogram <property>', 'count numbers or times by range; repeatable', oneMore)
    .option('--referrers <type/id>', 'count references to an entity, by type and property')
    .option(
      '--group <key>',
      'key to group by: year, year:10 (width), born:month, place:5deg; up to two',
      oneMore,
    )
    .option(
      '--measure <op:property>',
      'measure of each group: count, distinct, sum, avg, min, max or median; repeatable',
      oneMore,
    )
    .option('--group-sort <keys>', 'order of groups: count, key, avg:rating; -avg:rating for descending')
    .option('--group-limit <n>', 'maximum number of groups (default: 100)', wholeNumber)
    .option('--fields <properties>', 'only these attributes, comma-separated')
    .option('--limit <n>', 'entities per page', wholeNumber)
    .option('--cursor <cursor>', CURSOR)
    .option('--all', 'all pages')
    .option('--walk', 'read all of a world without worldwright:query, and query that')
    .option('--walk-limit <n>', 'maximum number of entities to read (default: 200000)', wholeNumber)
    .addOption(new Option('--table', 'print a table (default)').conflicts(['json', 'csv', 'geojson']))
    .addOption(
      new Option('--csv', 'print all of one type, or the groups, as CSV').conflicts([
        'json',
        'geojson',
        'cursor',
      ]),
    )
    .addOption(
      new Option('--geojson', 'print all of one type as GeoJSON').conflicts([
        'json',
        'cursor',
        'group',
        'measure',
      ]),
    )
    .examples(
      "query sol.example 'massEarths > 1' --type sol:planet --sort -massEarths",
      `query sol.example "orbits = entity('sol:planet', 'saturn')" --facet discoveryYear`,
      'query sol.example --type sol:moon --group discoveryYear:50 --measure avg:radiusKm',
      "query books.example 'year < 1900' --type my:book --walk",
    )
    .runs(async () => (await import('./query.ts')).query)
}

function addFollowing(world: WorldCommand): void {
  reading(world, 'watch', 'Print the changes of a world as they happen.')
    .option('--type <type>', 'only this type; repeatable', oneMore)
    .option(
      '--where <condition>',
      'a condition in the text form of CQL2; a changed entity that does not match prints leave',
    )
    .option('--since <next>', 'next of the last change that was received (default: only new changes)')
    .examples('watch sol.example', 'watch sol.example --type sol:moon --where "radiusKm > 1000" --json')
    .runs(async () => (await import('./watch.ts')).watch)
  const does = 'Mirror a world as files: the first run reads all of it, later ones only what changed.'
  reading(world, 'mirror', does, 'print the result as JSON')
    .argument('<dir>', 'the folder, created if missing')
    .option('--partial', 'mirror the types that can be read, even if others are skipped')
    .examples('mirror https://sol.example sol', 'mirror sol.example sol --json')
    .runs(async () => (await import('./mirror.ts')).mirror)
}

function addExplore(world: WorldCommand): void {
  const command = world
    .command('explore')
    .description('Explore any world in a browser, even one without CORS.')
    .argument('<origin>', ORIGIN)
    .option('--port <n>', 'port of 127.0.0.1 to serve the page on, 0 for any free one', wholeNumber, 0)
  addNames(command)
    .examples('explore https://sol.example', 'explore sol.example --port 8090')
    .runs(async () => (await import('./explore.ts')).explore)
}

function addMcp(world: WorldCommand): void {
  const command = world
    .command('mcp')
    .description(
      'Offer worlds to an agent as tools, over the Model Context Protocol on the standard streams.',
    )
    .argument('<origin...>', 'the origins of the worlds')
  addWorldOptions(command)
    .examples('mcp https://sol.example', 'mcp sol.example exoplanets.example')
    .runs(async () => (await import('./mcp.ts')).mcp)
}

function addTypes(world: WorldCommand): void {
  const types = world
    .command('types')
    .description("Write a world's entity types and actions as TypeScript, for connect<Types>().")
    .argument('<origin>', ORIGIN)
    .option('-o, --output <file>', 'the file to write (default: the standard output)')
    .option('--check', 'write nothing; fail if the file is out of date')
  addWorldOptions(types)
    .examples('types https://sol.example -o world.d.ts', 'types https://sol.example -o world.d.ts --check')
    .runs(async () => (await import('./types.ts')).types)
}

/** Adds a reading command with an origin argument and the shared options. */
function reading(
  world: WorldCommand,
  name: string,
  description: string,
  json = AS_RECEIVED,
  origin = '<origin>',
): WorldCommand {
  const command = world.command(name).description(description).argument(origin, ORIGIN).option('--json', json)
  return addWorldOptions(command)
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw new InvalidArgumentError('It is a whole number of 0 or more.')
}
