/** `world check`: the conformance kit as a command. The kit parses its own arguments, so that they are the same everywhere. */
import type { Command } from 'commander'
import type { Io } from '../terminal/io.ts'

/** Adds the command. Its exit code is the kit's: 0 all passed, 1 some failed, 2 wrong usage. */
export function addCheck(world: Command, io: Io, finish: (code: number) => void): void {
  world
    .enablePositionalOptions()
    .command('check')
    .description('Check any world by its address, or any client by its command (check --help).')
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (_words: string[], _options: object, command: Command) => {
      const { check } = await import('@worldwright/conformance')
      finish(await check(command.args, io))
    })
}
