import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { descriptionFrom, profileOf } from '@worldwright/client/foreign'
import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import { FAILED, type Io, jsonText, say, shellWord, UsageFault, visible } from '@worldwright/serve/terminal'
import { sayGuesses } from '../terminal/guesses.ts'
import { worldText } from '../types/world-text.ts'

/** Command-line flags of `world types`, in addition to those of all reading commands. */
export interface TypesOptions extends ReadingOptions {
  readonly output?: string
  readonly check?: boolean
}

/**
 * Writes the types to a file or to stdout. With `check`, writes nothing and returns exit code 1 if the file is out of date.
 */
export async function types(
  origin: string,
  { output, check, ...options }: TypesOptions,
  io: Io,
): Promise<number> {
  if (check && output === undefined) throw new UsageFault('Name the file to check: --output world.d.ts')
  const world = await connectTo(origin, options, io)
  const described = descriptionFrom(world.document, profileOf(world)?.names)
  if (!described.entityTypes) {
    say(io, 'error: The entity types of this world were not recognised. Give their name: --names types=PATH')
    return FAILED
  }
  for (const entry of described.unread ?? [])
    say(io, visible(`Left out, as it is not recognised as a type: ${jsonText(entry)}`))
  sayGuesses(world, io, true)
  const text = worldText(described)
  if (output === undefined) {
    io.stdout.write(text)
    return 0
  }
  const file = resolve(io.cwd, output)
  if (!check) {
    await writeFile(file, text)
    return 0
  }
  const written = await readFile(file, 'utf8').catch(() => undefined)
  if (written === text) return 0
  const fault = written === undefined ? 'does not exist' : 'is not what the world says now'
  say(
    io,
    `error: ${output} ${fault}. Write it again: npx worldwright types ${shellWord(origin)} -o ${shellWord(output)}`,
  )
  return 1
}
