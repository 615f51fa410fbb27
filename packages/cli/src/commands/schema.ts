/** `world schema`: prints the JSON Schema of a definition, for editors. */
import { definitionSchema } from '@worldwright/publish'
import type { Io } from '@worldwright/serve/terminal'
import { writeLine } from '@worldwright/serve/terminal'

/** Prints the JSON Schema of `world.yaml` on stdout. Exit code 0. */
export async function schema(io: Io): Promise<number> {
  await writeLine(io.stdout, JSON.stringify(definitionSchema(), null, 2))
  return 0
}
