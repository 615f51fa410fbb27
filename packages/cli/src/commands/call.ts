/** `world call`: calls any action of a world. */

import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import type { Io } from '@worldwright/serve/terminal'
import { jsonText, say, visible, writeLine } from '@worldwright/serve/terminal'
import { jsonInput } from '../open/json-input.ts'

/** The flags of `world call`. */
export interface CallOptions extends ReadingOptions {
  readonly input?: string
}

/** Prints the output as JSON; with `json`, the whole response. Warnings go to stderr. */
export async function call(origin: string, name: string, options: CallOptions, io: Io): Promise<number> {
  const input = await jsonInput(options.input ?? '{}', 'The input of an action', io)
  const world = await connectTo(origin, options, io)
  const answer = await world.action(name, input, { signal: io.signal })
  await writeLine(io.stdout, jsonText(options.json ? answer : answer.output, 2))
  for (const { field, message } of answer.warnings ?? [])
    say(io, visible(field === undefined ? message : `${field}: ${message}`))
  return 0
}
