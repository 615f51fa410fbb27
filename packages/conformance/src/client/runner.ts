/** Running the client under test: a command, or a function in its place. */
import { once } from 'node:events'
import { type CommandOptions, type Run, runCommand } from './run-client.ts'

/** Outcome of one run of a client, as a process would leave it. */
export interface ClientOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * A client in this process: it takes the arguments of its command line, and returns what its command would print.
 * `signal` ends a run that takes too long.
 */
export type ClientFunction = (
  args: readonly string[],
  surroundings: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<ClientOutput>

/** The client under test: the words of a command, or a function. */
export type Client = readonly string[] | ClientFunction

/** Runs the client once. Resolves even if it breaks, or does not end in time. */
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
