import { type Change, isWorldError } from '@worldwright/client'
import type { JsonObject } from '@worldwright/client/protocol'
import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import { type Io, jsonText, say, visible, writeLine } from '@worldwright/serve/terminal'
import { questionFrom } from '../query/question.ts'

/** Command-line flags of `world watch`. */
export interface WatchOptions extends ReadingOptions {
  readonly type?: readonly string[]
  readonly since?: string
  /** Condition in the text form of CQL2. */
  readonly where?: string
}

/**
 * Prints changes, one per line, until the signal is aborted. With `json`, prints them as JSON.
 * @throws UsageFault if the condition cannot be parsed
 */
export async function watch(origin: string, options: WatchOptions, io: Io): Promise<number> {
  const { type: types, since = 'now', json } = options
  const { where } = questionFrom(options.where, {}) as { where?: JsonObject }
  let last: Change | undefined
  try {
    const world = await connectTo(origin, options, io)
    if (!json) say(io, `Watching ${world.origin}. Ctrl-C ends it.`)
    for await (const change of world.changes({ since, types, where, signal: io.signal })) {
      await writeLine(io.stdout, json ? jsonText(change) : lineOf(change))
      last = change
    }
  } catch (error) {
    if (!io.signal.aborted || !isWorldError(error) || error.code !== 'aborted') throw error
  }
  if (last && !json) say(io, `To go on from here: --since ${visible(last.next)}`)
  return 0
}

function lineOf({ op, type, id }: Change): string {
  return `${op.padEnd('delete'.length)}  ${visible(type)}  ${visible(id)}`
}
