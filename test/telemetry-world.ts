/** Serves the demo world in a process with `OTEL_*` variables. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Served, serveWith } from './command.ts'
import { ROOT } from './source-files.ts'

const SOLAR = join(ROOT, 'examples/solar-system')

/** Path of an entity of the demo world. */
export const EUROPA = '/api/world/v0/entities/sol%3Amoon/europa'

/** Creates a folder, and removes it when the test ends. */
export async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'telemetry-'))
  t.after(() => rm(path, { recursive: true }))
  return path
}

/** Serves the demo world with these variables, by default with a store of its own. */
export async function serving(
  t: TestContext,
  env: Record<string, string>,
  ...args: string[]
): Promise<Served> {
  const store = args.includes('--store') ? [] : ['--store', `sqlite:${join(await folder(t), 'sol.db')}`]
  return serveWith({ env }, t, ...(args.includes('--follow') ? [] : [SOLAR]), ...store, ...args)
}

/** Ends a served world, and returns its exit code. */
export async function stop({ child }: Served): Promise<number | null> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Requests a URL, and returns the status. */
export async function status(url: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(url, { headers })
  await answer.arrayBuffer()
  return answer.status
}
