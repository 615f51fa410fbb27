import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseExact } from '@worldwright/client/exact'
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import { type Io, UsageFault } from '@worldwright/serve/terminal'

/** Help text for the value of a JSON option. */
export const JSON_INPUT = 'JSON, @FILE, or - for the standard input'

/** Reads a JSON object without loss, called `what` in messages. @throws UsageFault if it is unreadable or not an object */
export async function jsonInput(given: string, what: string, io: Io): Promise<JsonObject> {
  let value: unknown
  try {
    value = parseExact(await inputText(given, io))
  } catch (error) {
    if (error instanceof UsageFault) throw error
    throw new UsageFault(`${what} is not JSON: ${(error as Error).message}`)
  }
  if (isObject(value)) return value
  throw new UsageFault(`${what} is a JSON object, such as {"limit": 5}.`)
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
