/** Runs the client under test, which is either a command or a function. */
import { once } from 'node:events'
import { type CommandOptions, type Run, runCommand } from './run-client.ts'

/** Outcome of a call to a `ClientFunction`, in the form that a process would produce. */
export interface ClientOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * A client that runs in this process. Receives its command-line arguments, and returns what its command would output.
 * `signal` aborts a call that exceeds its time limit.
 */
export type ClientFunction = (
  args: readonly string[],
  surroundings: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<ClientOutput>

/** The client under test: a command as a list of words, or a function. */
export type Client = readonly string[] | ClientFunction

/** Runs the client once. Resolves even if the client throws or exceeds its time limit. */
export function runClient(client: Client, args: readonly string[], options: CommandOptions): Promise<Run> {
  return typeof client === 'function' ? runFunction(client, args, options) : runCommand(client, args, options)
}

const UNENDED = { exitCode: null, stdout: '', stderr: '' }

async function runFunction(
  client: ClientFunction,
  args: readonly string[],
  { timeout, env = {}, signal }: CommandOptions,
): Promise<Run> {
  const time = AbortSignal.timeout(timeout)
  const late = once(time, 'abort').then(() => ({ ...UNENDED, arguments: args, late: true }))
  const ending = AbortSignal.any(signal === undefined ? [time] : [time, signal])
  return Promise.race([late, finished(client, args, env, ending)])
}

async function finished(
  client: ClientFunction,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Run> {
  try {
    return { arguments: args, ...(await client(args, { env, signal })), late: false }
  } catch (error) {
    return { ...UNENDED, arguments: args, stderr: `${error}\n`, late: false }
  }
}
