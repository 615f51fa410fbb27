/** Commands that examine worlds from outside: `world check`, `world doctor` and `world directory`. */

import type { Io } from '@worldwright/serve/terminal'
import { Option } from 'commander'
import type { WorldCommand } from './world-command.ts'
import { addToken } from './world-options.ts'

/**
 * Adds `check`, which runs the conformance kit. The kit parses its own arguments and determines the exit code: 0 if all
 * checks passed, 1 if some failed, 2 on wrong usage.
 */
export function addCheck(world: WorldCommand): void {
  world
    .enablePositionalOptions()
    .command('check')
    .description('Check any world by its address, or any client by its command.')
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .runs(async () => {
      const { check } = await import('@worldwright/conformance')
      return (words: string[], _options: object, io: Io) => check(words, io)
    })
}

/** Adds `directory build`, which judges worlds and writes a world of them. */
export function addDirectory(world: WorldCommand): void {
  world
    .command('directory')
    .description('Make a world of worlds.')
    .command('build')
    .description('Judge worlds by Level 1, and write a world whose entities they are.')
    .argument('<file>', 'a file with an origin on each line')
    .requiredOption(
      '--out <folder>',
      'the folder to write: a world.yaml, if there is none, and worlds.ndjson',
    )
    .examples('directory build worlds.txt --out directory', 'serve directory')
    .runs(async () => (await import('./directory.ts')).buildDirectory)
}

/** Adds `doctor`, which exits with 1 if it finds a problem. */
export function addDoctor(world: WorldCommand): void {
  const command = world
    .command('doctor')
    .description('Examine a deployed world from outside, and name the setting that fixes each problem.')
    .argument('<origin>', 'the address that clients use; the default scheme is https, on loopback http')
    .option('--json', 'print the findings as JSON')
  addToken(command, 'for a private world (WORLD_TOKEN)')
    .addOption(
      new Option('--proxy <kind>', 'the proxy in front of it, if it is not recognized').choices([
        ...['nginx', 'caddy', 'haproxy', 'apache', 'cdn'],
      ]),
    )
    .examples('doctor https://world.example', 'doctor world.example --proxy haproxy')
    .runs(async () => (await import('./doctor.ts')).doctor)
}
