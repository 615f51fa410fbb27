/** `world types` on the command line. */
import type { Command } from 'commander'
import type { Io } from '../terminal/io.ts'
import { examples } from './examples.ts'
import type { Finish } from './publishing.ts'
import type { TypesOptions } from './types.ts'

/** Adds `types` to the commands of `world`. */
export function addTypes(world: Command, io: Io, finish: Finish): void {
  world
    .command('types')
    .description("Write a world's entity types and actions as TypeScript, for connect<Types>().")
    .argument('<origin>', 'the origin of the world; without a scheme https, on loopback http')
    .option('-o, --output <file>', 'the file to write (default: the standard output)')
    .option('--check', 'write nothing; fail where the file is not what the world says now')
    .option('--token <token>', 'for worlds that need one (WORLD_TOKEN)')
    .addHelpText(
      'after',
      examples('types https://sol.example -o world.d.ts', 'types https://sol.example -o world.d.ts --check'),
    )
    .action(async (origin: string, options: TypesOptions) => {
      const { types } = await import('./types.ts')
      finish(await types(origin, options, io))
    })
}
