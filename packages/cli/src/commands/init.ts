import { setFlagsFromString } from 'node:v8'
import { createMemoryStore } from '@worldwright/core/store'
import { type Scaffold, scaffoldDefinition, scaffoldTables, type Trial } from '@worldwright/publish'
import {
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
import { calledOf, inputsOf, refuseDefined, toSetText, trialLine, writeDefinition } from '../setup/inputs.ts'

/** Command-line flags of `world init`. */
export interface InitOptions {
  readonly prefix?: string
  readonly name?: string
  /** Names of tables, separated by commas. */
  readonly tables?: string
}

/** Writes world.yaml and world.schema.json to the current folder. Prints the assumptions and the result of a trial load. */
export async function init(files: readonly string[], options: InitOptions, io: Io): Promise<number> {
  await refuseDefined(io.cwd)
  if (options.prefix !== undefined && !/^(?!wp$)[a-z](?:[.-]?[a-z0-9]){0,59}$/.test(options.prefix))
    throw new UsageFault(
      `--prefix is at most 60 lower-case letters and digits, and not wp, which is the protocol's own; this is ${options.prefix}`,
    )
  // A young generation that does not grow saves 90 MB with a large file.
  setFlagsFromString('--semi-space-growth-factor=1')
  const inputs = inputsOf(files, io)
  const { text, assumptions, trial } = await proposal(inputs, options, io)
  await writeDefinition(io.cwd, text)
  say(io, 'Wrote world.yaml, and world.schema.json for editors. Assumed:')
  for (const assumption of assumptions) say(io, `  ${visible(assumption)}`)
  if (trial) for (const line of trialLines(trial, io)) say(io, line)
  for (const name of inputs.toSet) say(io, toSetText(name))
  say(io, 'Look it over, then: npx worldwright serve')
  return 0
}

/** Describes the result of a trial load, which uses the proposed definition and a memory store. */
function trialLines(trial: Trial, { stderr }: Io): string[] {
  const tally = createWarningTally()
  for (const warning of trial.warnings) tally.note(warning)
  const types = [...Map.groupBy(trial.first, ({ type }) => type).values()]
  const first = types.flatMap((all) => all.slice(0, types.length > 1 ? 3 : 10)).slice(0, 30)
  const rows = first.map(({ type, id, title = '', attributes }) => {
    return [type, id, title, JSON.stringify(attributes)].map((cell) => cutTo(cell, 100))
  })
  return [
    ...tableLines(stderr, ['type', 'id', 'title', 'attributes'], rows).map((line) => `  ${line}`),
    trialLine(trial),
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
