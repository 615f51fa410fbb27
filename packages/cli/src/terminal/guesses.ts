/** Tells which names of members were guessed, after output that depends on them. */
import type { World } from '@worldwright/client'
import { guessesOf } from '@worldwright/client/foreign'
import { type Io, say, visible } from '@worldwright/serve/terminal'

const OF_DOCUMENT = /^(world|worldName|types|actions)=/

/** Writes the guessed names in the discovery document, or all others, to stderr, if there are any. */
export function sayGuesses(world: World, io: Io, isDocument = false): void {
  const guesses = guessesOf(world)
    .filter((guess) => OF_DOCUMENT.test(guess) === isDocument)
    .join(',')
  if (guesses !== '')
    say(io, visible(`Guessed, not proved: ${guesses}. If one is wrong, give it with --names`))
}
