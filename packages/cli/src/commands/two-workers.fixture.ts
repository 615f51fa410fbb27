/** Starts a world with two workers, and sends requests that reach both. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { folderOf, serving } from '../serving.fixture.ts'

/** NDJSON records of two moons. */
export const MOONS = '{"type":"sol:moon","id":"europa"}\n{"type":"sol:moon","id":"io"}\n'
/** Path of one of the moons. */
export const IO = '/api/world/v0/entities/sol%3Amoon/io'

/** Sends requests one after the other, each on a new connection, so that both workers receive some. */
export async function fromEach<T>(request: () => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let count = 0; count < 4; count += 1) answers.push(await request())
  return answers
}

/** Reports whether a process with this id is running. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Sends a GET, on a new connection unless an agent is given, and returns the status. */
export async function statusOf(
  url: string,
  options: { agent?: Agent; token?: string } = {},
): Promise<number> {
  const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }
  const sent = get(url, { headers, agent: options.agent ?? new Agent() })
  const [response] = await once(sent, 'response')
  await text(response)
  return response.statusCode
}

/** Starts a world with two workers. `ready` lists their process ids. `pids` waits for the next report of ids. */
export async function twoWorkers(t: TestContext, definition: string, ...argv: string[]) {
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': MOONS })
  const world = await serving(t, cwd, '--workers', '2', ...argv)
  const pids = async () => {
    const said = await world.until(/(?:Workers ready|could not start).*\n/)
    const listed = /Workers ready: (.*)\n/.exec(said)?.[1] ?? assert.fail(said)
    return listed.split(', ').map(Number)
  }
  return { ...world, ready: await pids(), pids }
}
