import { writtenFormats } from '@worldwright/publish/formats'
import type { Io } from '@worldwright/serve/terminal'
import { Option } from 'commander'
import type { ExportOptions } from './export.ts'
import type { SiteOptions } from './export-site.ts'
import { addSettings } from './setting-options.ts'
import type { WorldCommand } from './world-command.ts'
import { PATH } from './world-options.ts'

/** Adds the commands token, export, status, backup, restore, copy, migrate, salvage and verify. */
export function addMaintenance(world: WorldCommand): void {
  addTokens(world)
  addExport(world)
  addSettings(world.command('status'), ['store'])
    .description('Show what a world holds, and what differs from its files.')
    .argument('[path]', PATH)
    .option('--json', 'print the status as JSON')
    .examples('status', 'status ./my-world --json')
    .runs(async () => (await import('./status.ts')).statusCommand)
  addSettings(world.command('backup'), ['store'])
    .description('Back up a store to a file, even while it is served and written, and verify the backup.')
    .argument('<file>', 'the new file')
    .argument('[path]', PATH)
    .option('--json', 'print what the backup holds as JSON')
    .examples('backup sol-2026-11-21.backup', 'backup /backups/sol.backup ./my-world')
    .runs(async () => (await import('./backup.ts')).backupCommand)
  world
    .command('restore')
    .description('Verify a backup, and restore it into a folder.')
    .argument('<file>', 'the backup')
    .argument('<folder>', 'the folder for world.db; an existing one is never replaced')
    .option('--json', 'print what was restored as JSON')
    .examples('restore sol-2026-11-21.backup ./restored')
    .runs(async () => (await import('./backup.ts')).restoreCommand)
  world
    .command('copy')
    .description('Copy a store to a new one, such as from a file to a database, with history and tokens.')
    .argument('<from>', 'the URL of a store: sqlite:FILE or postgres://…')
    .argument('<to>', 'the URL of the new store; an existing one is never replaced')
    .option('--json', 'print what was copied as JSON')
    .examples('copy sqlite:world.db postgres://world@db.example/sol')
    .runs(async () => (await import('./copy.ts')).copyCommand)
  addMigrate(world)
  world
    .command('salvage')
    .description('Save what is readable in a damaged store as NDJSON. The store is not changed.')
    .argument('<store>', 'the file of the store, such as world.db; its log is read as well')
    .argument('<file>', 'the new file')
    .option('--json', 'print what was saved and what is missing as JSON')
    .examples('salvage world.db saved.ndjson')
    .runs(async () => (await import('./salvage.ts')).salvageCommand)
  addAdmin(world)
  addSettings(world.command('verify'), ['store', 'search'])
    .description('Read every part of a store and report any damage.')
    .argument('[path]', PATH)
    .option('--repair', 'rebuild the search index from the entities')
    .option('--json', 'print the report as JSON')
    .examples('verify', 'verify --store sqlite:sol.db --json', 'verify --repair')
    .runs(async () => (await import('./backup.ts')).verifyCommand)
}

function addMigrate(world: WorldCommand): void {
  addSettings(world.command('migrate'), ['store'])
    .description('Bring a store in PostgreSQL to the format of this version, before its nodes are upgraded.')
    .option('--check', 'only say what would be done, and exit with 1 if that is anything')
    .option('--no-dump', 'make no dump with pg_dump, in the current folder, before')
    .examples('migrate --store postgres://world@db.example/sol', 'migrate --check')
    .runs(async () => (await import('./migrate.ts')).migrateCommand)
}

function addAdmin(world: WorldCommand): void {
  const search = world
    .command('admin')
    .description('Maintain services that a world uses beside its store.')
    .command('search')
    .description('Maintain the index in a search cluster.')
  addSettings(search.command('rebuild'), ['store', 'search'])
    .description('Rebuild the index in a search cluster. The old one answers until the new one is complete.')
    .argument('[path]', PATH)
    .examples('admin search rebuild --search opensearch://search.example/sol')
    .runs(async () => (await import('./search-index.ts')).rebuildSearchCommand)
}

function addTokens(world: WorldCommand): void {
  const token = world
    .command('token')
    .description('Create, list and revoke tokens for programs that write, or read a private world.')
    .examples('token create --scope write:sol:moon --expires 90d', 'token list')
  addSettings(token.command('create'), ['store'])
    .description('Create a token and print it. It is not shown again.')
    .argument('[path]', PATH)
    .option(
      '--scope <scope>',
      'read, read:TYPE, write, write:TYPE, call, call:ACTION or admin; repeatable (default: read)',
      (scope: string, before: string[] = []) => [...before, scope],
    )
    .option('--name <name>', 'the purpose of the token')
    .option('--expires <time>', 'lifetime or end, such as 90d, 12h or 2027-01-31 (default: never)')
    .option('--json', 'print the token and its description as JSON')
    .examples('token create --scope read --scope write:sol:moon --name loader')
    .runs(async () => (await import('./token.ts')).createTokenCommand)
  addSettings(token.command('list'), ['store'])
    .description('List tokens with their scopes, expiry and last use.')
    .argument('[path]', PATH)
    .option('--json', 'print JSON, one token per line')
    .examples('token list', 'token list ./my-world --json')
    .runs(async () => (await import('./token.ts')).listTokensCommand)
  addSettings(token.command('revoke'), ['store'])
    .description('Revoke a token immediately, in every process.')
    .argument('<id>', 'the id of the token, as listed')
    .argument('[path]', PATH)
    .examples('token revoke 3f9a0c12de')
    .runs(async () => (await import('./token.ts')).revokeTokenCommand)
}

function addExport(world: WorldCommand): void {
  const names = writtenFormats().map(({ name }) => name)
  const ofOneType = writtenFormats().flatMap(({ name, holdsTypes }) => (holdsTypes ? [] : [name]))
  addSettings(world.command('export'), ['store', 'publicUrl'])
    .description('Write a snapshot of all entities, or of one type; or the whole world as a static site.')
    .argument('[path]', PATH)
    .option('--type <type>', 'only this type')
    .addOption(
      new Option(
        '--format <format>',
        `${names.filter((name) => !ofOneType.includes(name)).join(', ')}; or ${ofOneType.join(', ')} for one type`,
      ).choices(names),
    )
    .option('--output <file>', 'a new file instead of the standard output')
    .option('--keep-formulas', 'in a table, do not escape text that a spreadsheet would run as a formula')
    .option('--site <folder>', 'write a static site that any file server can serve: lists, pages, explorer')
    .option('--publish-private', 'with --site: allow a private world')
    .examples(
      'export > everything.ndjson',
      'export --type sol:moon --format csv --output moons.csv',
      'export --site public --public-url https://sol.example',
    )
    .runs(async () => exportAny)
}

async function exportAny(
  path: string | undefined,
  { site, ...options }: ExportOptions & Partial<SiteOptions>,
  io: Io,
): Promise<number> {
  if (site === undefined) return (await import('./export.ts')).exportEntities(path, options, io)
  return (await import('./export-site.ts')).exportSite(path, { site, ...options }, io)
}
