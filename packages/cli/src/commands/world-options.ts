/** Options of the commands that connect to a world. */
import { NAMES_HELP, parseNames } from '../open/names.ts'
import type { WorldCommand } from './world-command.ts'

/** Help text for the origin argument. */
export const ORIGIN = 'the origin of the world; the default scheme is https, on loopback http'

/** Help text for the argument that names a definition. */
export const PATH = 'the folder of a world.yaml, or the file itself (default: the current folder)'

/** Adds the options for a bearer token and the origins it may be sent to. */
export function addToken(
  command: WorldCommand,
  help = 'for worlds that need one (WORLD_TOKEN)',
): WorldCommand {
  return command
    .option('--token <token>', help)
    .option('--token-origin <origin>', 'another origin of the API; repeatable (WORLD_TOKEN_ORIGIN)', oneMore)
}

/** Adds the options for the member names of a world. */
export function addNames(command: WorldCommand): WorldCommand {
  return command
    .option('--names <list>', NAMES_HELP, parseNames)
    .option('--profile-file <file>', 'reading profile with such names, a file or a URL; see show --profile')
}

/** Adds the options for the token and the member names. */
export function addWorldOptions(command: WorldCommand, tokenHelp?: string): WorldCommand {
  return addNames(addToken(command, tokenHelp))
}

/** Collects the values of a repeatable option. */
export function oneMore(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
