import type { World } from '@worldwright/client'
import { guessesOf } from '@worldwright/client/foreign'
import { type Io, say, visible } from '@worldwright/serve/terminal'

const OF_DOCUMENT = /^(world|worldName|types|actions)=/

/** Writes guessed names to stderr, if there are any: those in the discovery document if `isDocument`, else all others. */
export function sayGuesses(world: World, io: Io, isDocument = false): void {
  const guesses = guessesOf(world)
    .filter((guess) => OF_DOCUMENT.test(guess) === isDocument)
    .join(',')
  if (guesses !== '')
    say(io, visible(`Guessed, not proved: ${guesses}. If one is wrong, correct it with --names`))
}
