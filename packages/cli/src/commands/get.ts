import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import { type Io, jsonText, writeLine } from '@worldwright/serve/terminal'
import { asReceived, entityLines } from '../terminal/entity-text.ts'
import { sayGuesses } from '../terminal/guesses.ts'

/** Prints one entity as text, or as the JSON that was received if `json` is set. */
export async function get(
  origin: string,
  type: string,
  id: string,
  options: ReadingOptions,
  io: Io,
): Promise<number> {
  const world = await connectTo(origin, options, io)
  const entity = await world.get(type, id, { signal: io.signal })
  if (options.json) await writeLine(io.stdout, jsonText(asReceived(entity), 2))
  else for (const line of entityLines(entity, io)) await writeLine(io.stdout, line)
  sayGuesses(world, io)
  return 0
}
