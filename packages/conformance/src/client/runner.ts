/** Runs the client under test: a command, or a function that stands for one. */
import { type CommandOptions, type Run, runCommand } from './run-client.ts'

/** What one run of a client came to, as a process would leave it. */
export interface ClientOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * A client in this process: it takes what its command would take on the command line, and gives what it would print.
 * `signal` ends a run that takes too long.
 */
export type ClientFunction = (
  args: readonly string[],
  surroundings: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<ClientOutput>

/** The client under test: the words of a command, or a function. */
export type Client = readonly string[] | ClientFunction

/** Runs the client once. Resolves also where it breaks, or does not end in time. */
export function runClient(client: Client, args: readonly string[], options: CommandOptions): Promise<Run> {
  return typeof client === 'function' ? runFunction(client, args, options) : runCommand(client, args, options)
}

async function runFunction(
  client: ClientFunction,
  args: readonly string[],
  { timeout, env = {}, signal }: CommandOptions,
): Promise<Run> {
  const ending = new AbortController()
  const end = () => ending.abort()
  signal?.addEventListener('abort', end)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Run>((resolve) => {
    timer = setTimeout(() => {
      resolve({ arguments: args, exitCode: null, stdout: '', stderr: '', late: true })
      end()
    }, timeout)
  })
  try {
    return await Promise.race([late, finished(client, args, env, ending.signal)])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
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
    return { arguments: args, exitCode: null, stdout: '', stderr: `${error}\n`, late: false }
  }
}
