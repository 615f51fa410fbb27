/** `world init`: a first definition, made from data. */
import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { basename, relative, resolve } from 'node:path'
import { createMemoryStorage } from '@worldwright/server'
import {
  DEFINITION_SCHEMA,
  findDefinition,
  formatFromName,
  SCHEMA_NAME,
  type Scaffold,
  type ScaffoldSource,
  scaffoldDefinition,
  sourcesFromPath,
  type Trial,
} from '@worldwright/server/publish'
import { createWarningTally, rejectionLines } from '../terminal/import-report.ts'
import { Interrupted, type Io, UsageFault } from '../terminal/io.ts'
import { count, say } from '../terminal/output.ts'
import { visible } from '../terminal/visible.ts'

/** The flags of `world init`. */
export interface InitOptions {
  readonly prefix?: string
  readonly name?: string
}

/** Writes world.yaml and world.schema.json into the current folder, and says what was assumed and what came of it. */
export async function init(files: readonly string[], options: InitOptions, io: Io): Promise<number> {
  const present = await findDefinition(io.cwd)
  if (present !== undefined)
    throw new UsageFault(`There is ${present} already. Nothing is ever written over it.`)
  if (options.prefix !== undefined && !/^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/.test(options.prefix))
    throw new UsageFault(`--prefix is lower-case letters and digits; this is ${options.prefix}`)
  const { text, assumptions, trial } = await proposal(files, options, io)
  await writeFile(resolve(io.cwd, 'world.yaml'), text, { flag: 'wx' })
  const schema = resolve(io.cwd, SCHEMA_NAME)
  if (!existsSync(schema)) await writeFile(schema, `${JSON.stringify(DEFINITION_SCHEMA, null, 2)}\n`)
  say(io, 'Wrote world.yaml, and world.schema.json for editors. Assumed:')
  for (const assumption of assumptions) say(io, `  ${visible(assumption)}`)
  if (trial) for (const line of trialLines(trial)) say(io, line)
  say(io, 'Look it over, then: npx worldwright serve')
  return 0
}

/** What came of loading the proposal without a store. */
function trialLines(trial: Trial): string[] {
  const tally = createWarningTally()
  for (const warning of trial.warnings) tally.note(warning)
  return [
    `Tried it: ${count(trial.loaded, 'record')} can be loaded, ${trial.rejected === 0 ? 'none is' : `${trial.rejected} would be`} rejected.`,
    ...rejectionLines(trial),
    ...tally.lines(),
  ]
}

/** A definition for files. @throws Interrupted, also where a signal ended a pipe after some records had come */
async function proposal(files: readonly string[], options: InitOptions, io: Io): Promise<Scaffold> {
  try {
    const proposed = await scaffoldDefinition({
      sources: await scaffoldSources(files, io),
      folder: await folderName(files, io),
      storage: createMemoryStorage(),
      ...options,
    })
    if (!io.signal.aborted) return proposed
  } catch (error) {
    // The signal may have caused the error.
    if (!io.signal.aborted) throw error
  }
  throw new Interrupted('Interrupted. Nothing was written.')
}

/** What several files are of: the folder that was named, or the current one. */
async function folderName([first = '.', ...others]: readonly string[], io: Io): Promise<string> {
  const path = resolve(io.cwd, first)
  const isFolder = others.length === 0 && (await stat(path).catch(() => undefined))?.isDirectory() === true
  return basename(isFolder ? path : io.cwd)
}

async function scaffoldSources(files: readonly string[], { cwd, signal }: Io): Promise<ScaffoldSource[]> {
  const found = await Promise.all(files.map((file) => sourcesAt(resolve(cwd, file), cwd, signal)))
  return found.flat()
}

/** The sources at a path: the file; of a folder its files, one by one, unless all of them are Markdown. */
async function sourcesAt(path: string, cwd: string, signal: AbortSignal): Promise<ScaffoldSource[]> {
  const named = (file: string) => relative(cwd, file).replaceAll('\\', '/') || '.'
  const opened = (file: string) => sourcesFromPath(file, named(file), { signal })
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true
  if (!isFolder) return [{ file: named(path), open: () => opened(path) }]
  const all = (await opened(path)).map(({ name }) => name)
  if (all.every((name) => formatFromName(name) === 'markdown'))
    return [{ file: named(path), open: () => opened(path) }]
  return all.map((name) => ({ file: named(resolve(cwd, name)), open: () => opened(resolve(cwd, name)) }))
}
