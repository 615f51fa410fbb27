import { JSON_INPUT } from '../open/json-input.ts'
import type { WorldCommand } from './world-command.ts'
import { addWorldOptions, ORIGIN } from './world-options.ts'

/** Adds the commands put, patch and delete. */
export function addWriting(world: WorldCommand): void {
  writing(
    world
      .command('put')
      .description('Create or replace an entity of a writable world.')
      .argument('<origin>', ORIGIN)
      .argument('<type>', 'the type, as prefix:name')
      .argument('[id]', 'the id (default: a new one, which is printed)')
      .requiredOption('--input <json>', `the entity, with its attributes: ${JSON_INPUT}`)
      .option('--if-absent', 'only if there is no such entity'),
  )
    .examples(
      `put sol.example sol:moon io --input '{"title": "Io", "attributes": {"radiusKm": 1821.6}}'`,
      'put sol.example sol:note --input @note.json',
    )
    .runs(async () => (await import('./put.ts')).put)
  writing(
    world
      .command('patch')
      .description('Apply a JSON Merge Patch to an entity of a writable world.')
      .argument('<origin>', ORIGIN)
      .argument('<type>', 'the type, as prefix:name')
      .argument('<id>', 'the id')
      .requiredOption('--input <json>', `the patch: ${JSON_INPUT}`),
  )
    .examples(`patch sol.example sol:moon io --input '{"attributes": {"radiusKm": 1821.5}}'`)
    .runs(async () => (await import('./put.ts')).patch)
  const command = world
    .command('delete')
    .description('Delete entities, or all of a type, from a writable world or from a store.')
    .argument('<where>', 'the origin of a world; or a store as sqlite:FILE, or the folder of a world.yaml')
    .argument('[names...]', 'the type, and the ids')
    .option('--type <type>', 'all entities of this type')
    .option('--yes', 'with --type: delete them')
  addWorldOptions(command, 'for a world (WORLD_TOKEN)')
    .examples('delete sol.example sol:moon io europa', 'delete ./my-world --type sol:moon --yes')
    .runs(async () => (await import('./delete.ts')).deleteEntities)
}

function writing(command: WorldCommand): WorldCommand {
  command
    .option('--if-revision <revision>', 'only if the entity has this revision')
    .option('--json', 'print the entity as JSON')
  return addWorldOptions(command, 'a token that may write (WORLD_TOKEN)')
}
