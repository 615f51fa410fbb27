/** Serves worlds by running the `serve` command in the test process. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { TestContext } from 'node:test'
import { runWith } from './memory-io.fixture.ts'

/** Creates a folder with these files, and removes it when the test ends. */
export async function folderOf(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** Serves a folder on a free port until the test ends or `stop` is called. `stop` returns the exit code. */
export async function serving(t: TestContext, cwd: string, ...argv: string[]) {
  return servingWith(t, {}, cwd, ...argv)
}

/** Serves a folder as `serving` does, with additional environment variables. */
export async function servingWith(
  t: TestContext,
  variables: Readonly<Record<string, string>>,
  cwd: string,
  ...argv: string[]
) {
  const env = { WORLD_LOG_FORMAT: 'text', ...variables }
  const ending = new AbortController()
  const stderr = new PassThrough()
  const ended = runWith(['serve', ...argv, '--port', '0'], { cwd, env, stderr, signal: ending.signal })
  const stop = async () => {
    ending.abort()
    return (await ended).code
  }
  t.after(stop)
  const chunks = stderr.iterator({ destroyOnReturn: false })
  let said = ''
  /** Waits until the output matches, then consumes and returns the output up to the end of the match. */
  const until = async (pattern: RegExp): Promise<string> => {
    for (let match = pattern.exec(said); ; match = pattern.exec(said)) {
      if (match) {
        const before = said.slice(0, match.index + match[0].length)
        said = said.slice(before.length)
        return before
      }
      const next = await chunks.next()
      if (next.done) assert.fail(said)
      said += next.value
    }
  }
  const greeting = await until(/Read it:.*\n/)
  const url = /Serving at (\S+)/.exec(greeting)?.[1] ?? assert.fail(greeting)
  /** Returns the ids of all entities of a type, read through the public API. */
  const ids = async (type: string) => {
    const { out } = await runWith(['list', url, type, '--all', '--json'])
    return out
      .split('\n')
      .filter(Boolean)
      .map((line): string => JSON.parse(line).id)
  }
  return { cwd, url, greeting, until, ids, stop }
}
