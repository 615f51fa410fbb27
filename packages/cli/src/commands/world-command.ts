import type { Io } from '@worldwright/serve/terminal'
import { Command } from 'commander'

/** Command whose subcommands share the environment, show examples, and load code when they run, so that help stays fast. */
export class WorldCommand extends Command {
  readonly #io: Io
  readonly #finish: (code: number) => void

  constructor(name: string | undefined, io: Io, finish: (code: number) => void) {
    super(name)
    this.#io = io
    this.#finish = finish
  }

  override createCommand(name?: string): WorldCommand {
    return new WorldCommand(name, this.#io, this.#finish)
  }

  /** Adds examples to the end of the help. */
  examples(...commands: string[]): this {
    const lines = commands.map((command) => `  npx worldwright ${command}`)
    return this.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  }

  /** Loads a function and calls it with the arguments, the options and the environment. It returns the exit code. */
  runs(load: () => Promise<(...given: never[]) => Promise<number>>): this {
    return this.action(async (...given) => {
      const run = await load()
      // The last argument is this command itself.
      this.#finish(await run(...([...given.slice(0, -1), this.#io] as never[])))
    })
  }
}
