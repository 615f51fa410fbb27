import { definitionSchema } from '@worldwright/publish'
import { type Io, writeLine } from '@worldwright/serve/terminal'

/** Prints the JSON Schema of `world.yaml` on stdout, for editors. */
export async function schema(_options: object, io: Io): Promise<number> {
  await writeLine(io.stdout, JSON.stringify(definitionSchema(), null, 2))
  return 0
}
