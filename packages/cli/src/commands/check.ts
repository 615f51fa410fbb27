/** `world check`: the conformance kit as a command. The kit reads its own arguments, so that it is the same everywhere. */
import type { Command } from 'commander'
import type { Io } from '../terminal/io.ts'

/** Adds the command. Its exit code is the kit's: 0 in order, 1 not, 2 wrong usage. */
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
