/** Runs `world init` and loads what it wrote. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { definitionFromText } from '@worldwright/publish'
import { runWith } from '../memory-io.fixture.ts'

/** An entity, as far as rows of databases become one. */
export interface Row {
  readonly title?: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Runs commands in an empty folder. The environment of the process has the same variables while the test runs. */
export async function commandsIn(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const cwd = await mkdtemp(join(tmpdir(), 'world-'))
  t.after(() => rm(cwd, { recursive: true }))
  for (const [name, value] of Object.entries(env)) process.env[name] = value
  t.after(() => {
    for (const name of Object.keys(env)) delete process.env[name]
  })
  const run = (...argv: string[]) => runWith(argv, { cwd, env: { WORLD_LOG_FORMAT: 'text', ...env } })
  const text = () => readFile(join(cwd, 'world.yaml'), 'utf8')
  /** Loads the written definition and returns its entities by type and id. */
  const loaded = async () => {
    const imported = await run('import', '--json')
    assert.equal(imported.code, 0, imported.err)
    assert.equal(JSON.parse(imported.out).rejected, 0)
    const { out } = await run('export')
    const entities = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    return new Map<string, Row>(entities.map((one) => [`${one.type} ${one.id}`, one]))
  }
  const definition = async () => definitionFromText(await text(), 'world.yaml')
  return { cwd, run, text, definition, loaded }
}
