/** Commands that examine a world from outside: `world check` and `world doctor`. */

import type { Io } from '@worldwright/serve/terminal'
import { type Command, Option } from 'commander'
import type { DoctorOptions } from './doctor.ts'
import { examples } from './examples.ts'
import { addToken } from './world-options.ts'

/**
 * Adds `check`, the conformance kit as a command. The kit parses its own arguments, so that they are the same everywhere,
 * and its exit code is used: 0 all passed, 1 some failed, 2 wrong usage.
 */
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

/** Adds `doctor`. Exit code 1 if it finds a problem. */
export function addDoctor(world: Command, io: Io, finish: (code: number) => void): void {
  const command = world
    .command('doctor')
    .description('Look at a deployed world from outside, and name the setting that fixes each problem.')
    .argument('<origin>', 'the address that readers use; without a scheme https, on loopback http')
    .option('--json', 'print the findings as JSON')
  addToken(command, 'for a private world (WORLD_TOKEN)')
    .addOption(
      new Option('--proxy <kind>', 'what is in front of it, if it cannot be told').choices([
        ...['nginx', 'caddy', 'haproxy', 'apache', 'cdn'],
      ]),
    )
    .addHelpText('after', examples('doctor https://world.example', 'doctor world.example --proxy haproxy'))
    .action(async (origin: string, options: DoctorOptions) => {
      const { doctor } = await import('./doctor.ts')
      finish(await doctor(origin, options, io))
    })
}
