/** `world call`: any action of a world. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { connectTo, type ReadingOptions } from '../open/origin.ts'
import { type Io, UsageFault } from '../terminal/io.ts'
import { say, writeLine } from '../terminal/output.ts'
import { jsonText, visible } from '../terminal/visible.ts'

/** The flags of `world call`. */
export interface CallOptions extends ReadingOptions {
  readonly input?: string
}

/** Prints the output as JSON; with `json`, the whole answer. Warnings go to stderr. */
export async function call(origin: string, name: string, options: CallOptions, io: Io): Promise<number> {
  const input = inputFrom(await inputText(options.input ?? '{}', io))
  const world = await connectTo(origin, options, io)
  const answer = await world.action(name, input, { signal: io.signal })
  await writeLine(io.stdout, jsonText(options.json ? answer : answer.output, 2))
  for (const { field, message } of answer.warnings ?? [])
    say(io, visible(field === undefined ? message : `${field}: ${message}`))
  return 0
}

async function inputText(given: string, { cwd, stdin }: Io): Promise<string> {
  if (given === '-') return text(stdin)
  if (!given.startsWith('@')) return given
  try {
    return await readFile(resolve(cwd, given.slice(1)), 'utf8')
  } catch (error) {
    throw new UsageFault(`${given.slice(1)} cannot be read: ${(error as Error).message}`)
  }
}

function inputFrom(given: string): object {
  let value: unknown
  try {
    value = JSON.parse(given)
  } catch (error) {
    throw new UsageFault(`The input is not JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UsageFault('The input of an action is a JSON object, such as {"limit": 5}.')
}
