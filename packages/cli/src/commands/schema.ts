/** `world schema`: the JSON Schema of a definition, for editors. */
import { DEFINITION_SCHEMA } from '@worldwright/publish'
import type { Io } from '../terminal/io.ts'
import { writeLine } from '../terminal/output.ts'

/** Prints the JSON Schema of `world.yaml` on stdout. Exit code 0. */
export async function schema(io: Io): Promise<number> {
  await writeLine(io.stdout, JSON.stringify(DEFINITION_SCHEMA, null, 2))
  return 0
}
