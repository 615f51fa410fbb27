import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import { type Io, jsonText, say, visible, writeLine } from '@worldwright/serve/terminal'
import { jsonInput } from '../open/json-input.ts'

/** Command-line flags of `world call`. */
export interface CallOptions extends ReadingOptions {
  readonly input?: string
}

/** Calls an action and prints its output, or the whole response for a job or with `json`. Prints warnings to stderr. */
export async function call(origin: string, name: string, options: CallOptions, io: Io): Promise<number> {
  const input = await jsonInput(options.input ?? '{}', 'The input of an action', io)
  const world = await connectTo(origin, options, io)
  const answer = await world.action(name, input, { signal: io.signal })
  await writeLine(io.stdout, jsonText(options.json || answer.job !== undefined ? answer : answer.output, 2))
  for (const { field, message } of answer.warnings ?? [])
    say(io, visible(field === undefined ? message : `${field}: ${message}`))
  return 0
}
