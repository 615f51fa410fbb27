/** Commands that write to a world. */

import type { Io } from '@worldwright/serve/terminal'
import type { Command } from 'commander'
import { JSON_INPUT } from '../open/json-input.ts'
import type { DeleteOptions } from './delete.ts'
import { examples } from './examples.ts'
import type { Finish } from './publishing.ts'
import type { WritingOptions } from './put.ts'
import { addWorldOptions, ORIGIN } from './world-options.ts'

/** Adds the commands put, patch and delete. */
export function addWriting(world: Command, io: Io, finish: Finish): void {
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
    .addHelpText(
      'after',
      examples(
        `put sol.example sol:moon io --input '{"title": "Io", "attributes": {"radiusKm": 1821.6}}'`,
        'put sol.example sol:note --input @note.json',
      ),
    )
    .action(async (origin: string, type: string, id: string | undefined, options: WritingOptions) => {
      const { put } = await import('./put.ts')
      finish(await put(origin, type, id, options, io))
    })
  writing(
    world
      .command('patch')
      .description('Apply a JSON Merge Patch to an entity of a writable world.')
      .argument('<origin>', ORIGIN)
      .argument('<type>', 'the type, as prefix:name')
      .argument('<id>', 'the id')
      .requiredOption('--input <json>', `the patch: ${JSON_INPUT}`),
  )
    .addHelpText(
      'after',
      examples(`patch sol.example sol:moon io --input '{"attributes": {"radiusKm": 1821.5}}'`),
    )
    .action(async (origin: string, type: string, id: string, options: WritingOptions) => {
      const { patch } = await import('./put.ts')
      finish(await patch(origin, type, id, options, io))
    })
  const command = world
    .command('delete')
    .description('Delete entities, or all of a type, from a writable world or from a store.')
    .argument('<where>', 'the origin of a world; or a store as sqlite:FILE, or the folder of a world.yaml')
    .argument('[names...]', 'the type, and the ids')
    .option('--type <type>', 'all entities of this type')
    .option('--yes', 'with --type: delete them')
  addWorldOptions(command, 'for a world (WORLD_TOKEN)')
    .addHelpText(
      'after',
      examples('delete sol.example sol:moon io europa', 'delete ./my-world --type sol:moon --yes'),
    )
    .action(async (where: string, names: string[], options: DeleteOptions) => {
      const { deleteEntities } = await import('./delete.ts')
      finish(await deleteEntities(where, names, options, io))
    })
}

function writing(command: Command): Command {
  command
    .option('--if-revision <revision>', 'only if the entity has this revision')
    .option('--json', 'print the entity as JSON')
  return addWorldOptions(command, 'a token that may write (WORLD_TOKEN)')
}
