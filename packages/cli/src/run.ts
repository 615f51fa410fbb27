import { readFile } from 'node:fs/promises'
import { registerEngines } from '@worldwright/engines'
import { fromEnv, type Io, reportFailure } from '@worldwright/serve/terminal'
import { addCheck, addDirectory, addDoctor } from './commands/check.ts'
import { addMaintenance } from './commands/maintenance.ts'
import { addPublishing } from './commands/publishing.ts'
import { addReading } from './commands/reading.ts'
import { WorldCommand } from './commands/world-command.ts'
import { addWriting } from './commands/writing.ts'

/** Help width, in columns, if the output is not a terminal. */
const HELP_COLUMNS = 80

/**
 * Runs one command and resolves with its exit code: 0 on success, 1 on failure, 2 on wrong usage. `argv` excludes the
 * executable and the script. Never rejects. Uses the environment and streams of `io`, not those of the process.
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code = 0
  let typed: Record<string, string | undefined> = {}
  const finish = (result: number) => {
    code = result
  }
  try {
    registerEngines(fromEnv(io, 'WORLD_ENGINES') ?? '', io.cwd)
    await program(await version(), io, finish)
      .hook('preAction', (_, { registeredArguments, args }) => {
        typed = Object.fromEntries(
          registeredArguments.map((argument, index) => [argument.name(), args[index]]),
        )
      })
      .parseAsync([...argv], { from: 'user' })
    return code
  } catch (error) {
    return reportFailure(error, io, argv.includes('--json'), typed)
  }
}

function program(version: string, io: Io, finish: (code: number) => void): WorldCommand {
  const world = new WorldCommand('world', io, finish)
    .description('Publish worlds of typed entities, and read those of others.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => (io.stdout.isTTY ? io.stdout.columns : undefined) ?? HELP_COLUMNS,
      getErrHelpWidth: () => (io.stderr.isTTY ? io.stderr.columns : undefined) ?? HELP_COLUMNS,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('Type --help after the command for what it takes.')
  addPublishing(world)
  addMaintenance(world)
  addReading(world)
  addWriting(world)
  addCheck(world)
  addDoctor(world)
  addDirectory(world)
  return world.examples('serve ./my-world', 'show https://world.example')
}

async function version(): Promise<string> {
  // The file is next to both `src` and `dist`.
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(text).version
}
