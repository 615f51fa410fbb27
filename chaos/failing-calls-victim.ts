/**
 * Runs under `failing-disk.c`. For each number in its arguments, runs a script on a new store, in a folder named after the
 * number, while the call with that number fails. Prints the outcome of each step on stdout as a line of JSON.
 */
import { mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Store, StoreFault } from '@worldwright/core/store'
import { openStore, storeAt } from '@worldwright/engines'

const [folder = '', ...numbers] = process.argv.slice(2)

/** Returns an entity for a step of the script to write. */
const thing = (id: string, title = id) => ({ type: 'chaos:thing', id, title, attributes: {} })

function steps(store: Store, backup: () => unknown): readonly [string, () => unknown][] {
  const put = (id: string): [string, () => unknown] => [`put ${id}`, () => store.write([{ put: thing(id) }])]
  const imported = async () => {
    const running = await store.bulk()
    try {
      await running.add(Array.from({ length: 40 }, (_, at) => thing(`i${at}`, `Imported ${at}`)))
      await running.commit()
    } catch (error) {
      await Promise.resolve(running.abort()).catch(() => {})
      throw error
    }
  }
  return [
    ...['a', 'b', 'c', 'd', 'e', 'f'].map(put),
    ['import', imported],
    ['token', () => store.write([], { values: { '~token': 'value' } })],
    ['delete a', () => store.write([{ delete: { type: 'chaos:thing', id: 'a' } }])],
    ['backup', backup],
    ...['g', 'h', 'i', 'j'].map(put),
  ]
}

/** Tells the shim which call to fail by opening a file that does not exist. */
function arm(number: number): void {
  try {
    openSync(join(folder, `arm-${number}`), 'r')
  } catch {}
}

for (const number of numbers.map(Number)) {
  const say = (step: string, error?: unknown) => {
    const code = error instanceof StoreFault ? error.code : undefined
    const text = error === undefined ? undefined : String(error)
    writeSync(1, `${JSON.stringify({ number, step, error: text, code })}\n`)
  }
  const file = join(folder, String(number), 'world.db')
  mkdirSync(join(folder, String(number)))
  arm(number)
  const attempt = async <T>(step: string, work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      const result = await work()
      say(step)
      return result
    } catch (error) {
      say(step, error)
      return undefined
    }
  }
  const store = await attempt('open', () => openStore(`sqlite:${file}`, { role: 'writer' }))
  if (store !== undefined) {
    const backup = async () => (await storeAt(`sqlite:${file}`)).backup(`${file}.backup`)
    for (const [step, work] of steps(store, backup)) await attempt(step, work)
    await attempt('close', () => store.close())
  }
  arm(0)
}
