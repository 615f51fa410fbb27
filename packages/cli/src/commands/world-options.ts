/** Options of the commands that talk to a world. */
import type { Command } from 'commander'
import { NAMES_HELP, parseNames } from '../open/names.ts'

/** Adds the options for a bearer token and for the origins it may go to. */
export function addToken(command: Command, help = 'for worlds that need one (WORLD_TOKEN)'): Command {
  return command
    .option('--token <token>', help)
    .option('--token-origin <origin>', 'another origin of its API; repeatable (WORLD_TOKEN_ORIGIN)', oneMore)
}

/** Adds the token options and `--names`. */
export function addWorldOptions(command: Command, tokenHelp?: string): Command {
  return addToken(command, tokenHelp).option('--names <list>', NAMES_HELP, parseNames)
}

/** Collects an option that can be repeated. */
export function oneMore(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
