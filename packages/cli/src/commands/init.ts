/** `world init`: generates a definition from data files and databases. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { createMemoryStore } from '@worldwright/core/store'
import {
  definitionSchema,
  findDefinition,
  isServer,
  namedServer,
  SCHEMA_NAME,
  type Scaffold,
  type ScaffoldTable,
  scaffoldDefinition,
  scaffoldTables,
  type Trial,
} from '@worldwright/publish'
import {
  count,
  createWarningTally,
  cutTo,
  Interrupted,
  type Io,
  rejectionLines,
  say,
  tableLines,
  UsageFault,
  visible,
} from '@worldwright/serve/terminal'

/** Command-line flags of `world init`. */
export interface InitOptions {
  readonly prefix?: string
  readonly name?: string
  /** Names of tables, separated by commas. */
  readonly tables?: string
}

/** Writes world.yaml and world.schema.json to the current folder. Prints the assumptions and the result of a trial load. */
export async function init(files: readonly string[], options: InitOptions, io: Io): Promise<number> {
  const present = await findDefinition(io.cwd)
  if (present !== undefined)
    throw new UsageFault(
      `There is ${present} already. Nothing was written. Move it, or run init in another folder.`,
    )
  if (options.prefix !== undefined && !/^(?!wp$)[a-z](?:[.-]?[a-z0-9]){0,59}$/.test(options.prefix))
    throw new UsageFault(
      `--prefix is at most 60 lower-case letters and digits, and not wp, which is the protocol's own; this is ${options.prefix}`,
    )
  // A young generation that does not grow saves 90 MB with a large file.
  setFlagsFromString('--semi-space-growth-factor=1')
  const inputs = inputsOf(files, io)
  const { text, assumptions, trial } = await proposal(inputs, options, io)
  await writeFile(resolve(io.cwd, 'world.yaml'), text, { flag: 'wx' })
  const schema = resolve(io.cwd, SCHEMA_NAME)
  if (!existsSync(schema)) await writeFile(schema, `${JSON.stringify(definitionSchema(), null, 2)}\n`)
  say(io, 'Wrote world.yaml, and world.schema.json for editors. Assumed:')
  for (const assumption of assumptions) say(io, `  ${visible(assumption)}`)
  if (trial) for (const line of trialLines(trial, io)) say(io, line)
  for (const name of inputs.toSet)
    say(io, `The URL holds a password, so world.yaml names $${name} in its place. Set ${name} to the URL.`)
  say(io, 'Look it over, then: npx worldwright serve')
  return 0
}

/** Returns the paths of files, the addresses of servers, and their variables. @throws UsageFault for any other URL */
function inputsOf(files: readonly string[], { cwd, env }: Io) {
  let environment = env
  const toSet: string[] = []
  const paths = files.map((file) => {
    if (!isServer(file)) {
      const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(file)?.[0]
      if (scheme === undefined) return resolve(cwd, file)
      throw new UsageFault(
        `init reads files, and databases by postgres:// and mysql:// URLs, but no ${scheme}`,
      )
    }
    const named = namedServer(file, environment)
    environment = named.environment
    if (named.toSet !== undefined) toSet.push(named.toSet)
    return named.address
  })
  return { paths, environment, toSet }
}

/** Describes the result of a trial load, which uses the proposed definition and a memory store. */
function trialLines(trial: Trial, { stderr }: Io): string[] {
  const tally = createWarningTally()
  for (const warning of trial.warnings) tally.note(warning)
  const rows = trial.first.map(({ type, id, title = '', attributes }) => {
    return [type, id, title, JSON.stringify(attributes)].map((cell) => cutTo(cell, 100))
  })
  return [
    ...tableLines(stderr, ['type', 'id', 'title', 'attributes'], rows).map((line) => `  ${line}`),
    `Tried it${trial.isSampled ? ' with the sample' : ''}: ${count(trial.loaded, 'record')} can be loaded, ${trial.rejected === 0 ? 'none is' : `${trial.rejected} would be`} rejected.`,
    ...rejectionLines(trial),
    ...tally.lines(),
  ]
}

/** Proposes a definition for files. @throws Interrupted if the signal was aborted, even if all files could be read */
async function proposal(
  { paths, environment }: ReturnType<typeof inputsOf>,
  { tables: only, ...options }: InitOptions,
  { cwd: folder, signal }: Io,
): Promise<Scaffold> {
  try {
    const names = only?.split(',').map((name) => name.trim())
    const tables = await scaffoldTables({ paths, folder, environment, signal, only: names })
    const called = calledOf(tables, paths, folder)
    const input = { tables, folder, called, environment, signal, store: createMemoryStore() }
    const proposed = await scaffoldDefinition({ ...input, ...options })
    if (!signal.aborted) return proposed
  } catch (error) {
    // The signal may have caused the error.
    if (!signal.aborted) throw error
  }
  throw new Interrupted('Interrupted. Nothing was written.')
}

/** Returns the path that the world is named after: the only file, the only named folder, or the current folder. */
function calledOf(tables: readonly ScaffoldTable[], paths: readonly string[], cwd: string): string {
  const [first, ...others] = new Set(tables.map(({ file }) => file))
  if (first !== undefined && others.length === 0) return first
  return basename(paths.length === 1 ? (paths[0] ?? cwd) : cwd)
}
