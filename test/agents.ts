/** Asks worlds as an agent does: through the official client, over `world mcp`. */
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { Lifetime } from './command.ts'
import { ROOT } from './source-files.ts'

/** An answer to a call of a tool. */
export interface Said {
  readonly text: string
  readonly isError: boolean
}

/** A connected agent, which calls tools. */
export interface Agent {
  readonly client: Client
  call(name: string, args?: Record<string, unknown>): Promise<Said>
}

/** Counts the tokens of a text as current models do (o200k). */
export function tokensOf(text: string): number {
  return encode(text).length
}

/** Starts `world mcp` with these arguments and connects to it. `mode` is the generation of the protocol. */
export async function agentOf(
  lifetime: Lifetime,
  args: readonly string[],
  { mode = 'auto', env = {} }: { mode?: 'auto' | 'legacy'; env?: Record<string, string> } = {},
): Promise<Agent> {
  const program = ['--conditions=@worldwright/source', join(ROOT, 'packages/cli/src/main.ts'), 'mcp', ...args]
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const streams = { command: process.execPath, args: program, stderr: 'ignore', env } as const
  await client.connect(new StdioClientTransport(streams))
  lifetime.after(() => client.close())
  return { client, call: (name, args = {}) => called(client, name, args) }
}

/** Calls a tool whose answer is one text. */
export async function called(client: Client, name: string, args: Record<string, unknown>): Promise<Said> {
  const { content, isError = false } = await client.callTool({ name, arguments: args })
  const [first] = content as { type: string; text: string }[]
  return { text: first?.text ?? '', isError }
}
